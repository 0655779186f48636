/** A point in time as an input of date and time shows it: in the local time zone, to the minute. */
export function localMinute(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What such an input says, as the server writes it; empty for nothing. */
export function pointInTime(local: string): string {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime())
    ? ''
    : time.toISOString().replace(/\.\d{3}Z$/, '+00:00');
}
