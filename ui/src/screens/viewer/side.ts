/** What stands beside the picture. */
export type Side = 'text' | 'info';
