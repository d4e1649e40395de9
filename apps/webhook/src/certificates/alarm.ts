/** Something to wait for with a limit, which others can end early. */
export class Alarm {
  #ring: () => void = () => undefined;
  #isRinging = false;

  /** Ends the wait that is in progress, or the next one. */
  ring(): void {
    this.#isRinging = true;
    this.#ring();
  }

  /** Waits until the alarm rings, the time is over, or the signal aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRinging && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        this.#ring = end;
        signal.addEventListener('abort', end);
      });
    }
    this.#isRinging = false;
  }
}
