import type { QueryClient } from '@tanstack/svelte-query';
import { changeUser } from '../../api/accounts';
import type { Account, AccountChanges } from '../../api/types';
import { settingsOfAccount, settingsStep } from '../../undo/settings';
import { undo } from '../../undo/undo.svelte';

/** Changes an account; one undo takes that back, but for a password. */
export function changeAccount(
  client: QueryClient,
  account: Account,
  changes: AccountChanges,
): Promise<Account> {
  return undo.during(async () => {
    const saved = await changeUser(account.uid, changes);
    const about = { kind: 'user', id: account.uid, title: saved.name } as const;
    const step = settingsStep(about, settingsOfAccount(account), settingsOfAccount(saved));
    if (step) undo.did(step);
    client.setQueryData(['users', account.uid], saved);
    return saved;
  });
}
