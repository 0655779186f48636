/** Why a file did not arrive. */
import { ApiError, Unreachable } from '../api/errors';
import { t } from '../texts';

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Whether somebody else has changed meanwhile what it was to take the place of. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** The same in words; `ofCopy` where another program has made it from what is there. */
export function reason(error: unknown, ofCopy: boolean): string {
  if (error instanceof Unreachable) return t.transfers.unreachable;
  if (isConflict(error)) return ofCopy ? t.opened.conflict : t.transfers.changed;
  if (error instanceof DOMException && error.name === 'NotReadableError') return t.transfers.fileGone;
  return error instanceof Error ? error.message : String(error);
}
