import { CelError } from '../values/value.ts';

/** A failure of planning, with the place of what cannot be planned. */
export class PlanError extends CelError {
  /** The offset in the text in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}
