const PATIENCE = 200;

/** True only after something has been true for a while: quick answers show no skeleton. */
export class Delayed {
  now = $state(false);

  constructor(waiting: () => boolean) {
    $effect(() => {
      if (!waiting()) {
        this.now = false;
        return;
      }
      const timer = setTimeout(() => (this.now = true), PATIENCE);
      return () => clearTimeout(timer);
    });
  }
}
