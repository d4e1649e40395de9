import { CelError } from '../values/value.ts';

/** An error of planning, with the position of the part that cannot be planned. */
export class PlanError extends CelError {
  /** The offset in the text in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}
