import { address, heading } from './steps.mjs';

async function refused(stage) {
  const { page } = stage;
  await address('/user/login', (page) => page.getByRole('button', { name: 'Sign in' }))(stage);
  await page.getByLabel('Name').fill('m.ruiz');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/before a pause of 15 minutes/).waitFor();
}

/** What is there before anybody has signed in. */
export const ARRIVAL = {
  'sign-in': address('/user/login', (page) => page.getByRole('button', { name: 'Sign in' })),
  'sign-in-refused': refused,
};

/** What is there before anything is in the repository. */
export const EMPTY = {
  'first-run': address('/?view=all', heading('Drop files or folders here')),
  'trash-empty': address('/?view=trash', heading('The trash is empty')),
  'files-empty': address('/admin/content/media', heading('No files yet')),
  'terms-empty': address('/taxonomy/term?vocabulary=subject', heading('No terms yet')),
  'watched-empty': address('/admin/watched', heading('No watched folders yet')),
  'activity-empty': address('/admin/activity', (page) => page.getByRole('main')),
  'report-empty': address('/admin/report', (page) => page.getByTestId('totals')),
  'health-empty': address('/admin/health', (page) => page.getByText('No backup yet')),
};
