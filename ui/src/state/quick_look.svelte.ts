/** Whether the selected item is previewed over the list. */
class QuickLookState {
  open = $state(false);
}

export const quickLook = new QuickLookState();
