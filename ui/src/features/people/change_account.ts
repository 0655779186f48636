import { undoHistory } from '../../state/undo_history.svelte';
import type { QueryClient } from '@tanstack/svelte-query';
import { updateUser } from '../../api/accounts';
import type { Account, AccountChanges } from '../../api/types';
import { accountSettings, settingsStep } from '../undo/settings_steps';

/** Changes an account as an undoable change, except for its password. */
export function changeAccount(
  client: QueryClient,
  account: Account,
  changes: AccountChanges,
): Promise<Account> {
  return undoHistory.during(async () => {
    const saved = await updateUser(account.uid, changes);
    const about = { kind: 'user', id: account.uid, title: saved.name } as const;
    const step = settingsStep(about, accountSettings(account), accountSettings(saved));
    if (step) undoHistory.record(step);
    client.setQueryData(['users', account.uid], saved);
    return saved;
  });
}
