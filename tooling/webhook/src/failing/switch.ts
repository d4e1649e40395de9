import { Forwarder } from '../server/forwarder.ts';

/** A port whose target can change at any moment, and whose connections can be cut. */
export class Switch extends Forwarder {
  /** The port of this machine that new connections lead to; without one, they are closed at once. */
  target: number | undefined;

  constructor(target?: number) {
    super();
    this.target = target;
  }

  /** Changes the target of new connections, and cuts the present ones. */
  lead(target: number | undefined): void {
    this.target = target;
    this.cut();
  }

  protected override next(): number | undefined {
    return this.target;
  }
}
