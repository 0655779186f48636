import { t } from '.';

/** The name of a role of an account: in the reader's language where the program brings the role. */
export const roleName = ({ label }: { label: string }): string =>
  Object.hasOwn(t.people.shippedRoles, label) ? (t.people.shippedRoles[label] ?? label) : label;
