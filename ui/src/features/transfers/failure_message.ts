/** Why an upload failed. */
import { hasCode, ServerUnreachable } from '../../api/errors';
import { t } from '../../texts';

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Whether the resource was changed by somebody else. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 'precondition_failed');
}

/** The message for the user. `isWorkingCopy`: the file was edited in another program. */
export function failureMessage(error: unknown, isWorkingCopy: boolean): string {
  if (error instanceof ServerUnreachable) return t.transfers.unreachable;
  if (isConflict(error)) return isWorkingCopy ? t.opened.conflict : t.transfers.changed;
  if (error instanceof DOMException && error.name === 'NotReadableError') return t.transfers.fileGone;
  return error instanceof Error ? error.message : String(error);
}
