import { createRole, deleteRole, updateRole } from '../../api/accounts';
import type { NewRole, Role, RoleChanges } from '../../api/types';
import { readLists } from '../../state/live_updates';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { roleSettings, settingsStep } from '../undo/settings_steps';

/** Makes a role as an undoable change. */
export function makeRole(role: NewRole): Promise<Role> {
  return recorded(null, () => createRole(role));
}

/** Changes a role as an undoable change. */
export function changeRole(role: Role, changes: RoleChanges): Promise<Role> {
  return recorded(role, () => updateRole(role.name, changes));
}

/** Deletes a role as an undoable change: nobody has it, so that it comes back as it was. */
export async function removeRole(role: Role): Promise<void> {
  await recorded(role, () => deleteRole(role.name).then(() => null));
}

async function recorded<After extends Role | null>(
  before: Role | null,
  act: () => Promise<After>,
): Promise<After> {
  return undoHistory.during(async () => {
    const after = await act();
    const about = { kind: 'roles', id: 0, title: (after ?? before)?.label ?? '' } as const;
    const step = settingsStep(about, roleSettings(before), roleSettings(after));
    if (step) undoHistory.record(step);
    return after;
  });
}

/** Reads again what roles permit, also those of the user; a page then shows what is kept, which an undo may change. */
export async function refreshRoles(): Promise<void> {
  await readLists();
  await repository.load();
}
