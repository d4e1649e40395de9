import type { VerificationError } from '../context/image-verifier.ts';

/** Why images could not be verified: one reason, or several joined. */
export class Problem {
  readonly message: string;
  /** Whether data of an image are missing. */
  readonly isUnavailable: boolean;

  constructor(message: string, isUnavailable = false) {
    this.message = message;
    this.isUnavailable = isUnavailable;
  }

  /** Reads the error of a verifier. */
  static from({ error, isUnavailable = false }: VerificationError): Problem {
    return new Problem(error, isUnavailable);
  }

  /** Joins problems as Go's multierr does. */
  static joined(problems: readonly Problem[]): Problem {
    const message = problems.map((problem) => problem.message).join('; ');
    return new Problem(
      message,
      problems.some(({ isUnavailable }) => isUnavailable),
    );
  }

  /** The same with its place before it. */
  at(path: string): Problem {
    return new Problem(`${path}: ${this.message}`, this.isUnavailable);
  }
}
