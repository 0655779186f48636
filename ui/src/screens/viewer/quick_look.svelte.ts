/** Whether the chosen item is shown large over the list. */
class QuickLookState {
  open = $state(false);
}

export const quickLook = new QuickLookState();
