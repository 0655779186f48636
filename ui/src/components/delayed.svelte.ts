const DELAY = 200;

/** True once a condition has held for `DELAY`, so that quick answers show no skeleton. */
export class DelayedFlag {
  value = $state(false);

  constructor(waiting: () => boolean) {
    $effect(() => {
      if (!waiting()) {
        this.value = false;
        return;
      }
      const timer = setTimeout(() => (this.value = true), DELAY);
      return () => clearTimeout(timer);
    });
  }
}
