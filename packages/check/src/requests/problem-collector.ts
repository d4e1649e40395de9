import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { ReportProblem } from './field-validation.ts';

/** Reports the problems of inputs, and keeps those because of which something is left out. */
export class ProblemCollector {
  /** The problems of inputs that are skipped. */
  readonly leftOut: InputProblem[];
  /** Fields of policies and bindings that a server would reject. */
  readonly refusedFields: InputProblem[] = [];
  readonly #report: ReportProblem;

  /** @param unreadable the problems of inputs that could not be read, which are reported already */
  constructor(report: ReportProblem, unreadable: readonly InputProblem[] = []) {
    this.#report = report;
    this.leftOut = [...unreadable];
  }

  /** Reports a problem because of which an input is skipped. */
  leaveOut(problem: InputProblem): void {
    this.leftOut.push(problem);
    this.#report(problem, 'error');
  }

  /** Reports a warning, with an introduction. */
  warn(problem: InputProblem, introduction = ''): void {
    this.#report({ ...problem, message: `${introduction}${problem.message}` }, 'warning');
  }

  /** Reports a field that a server would reject. */
  readonly refuse: ReportProblem = (problem, severity) => {
    if (severity === 'error') this.refusedFields.push(problem);
    this.#report(problem, severity);
  };

  /** Reports a field of an object of a cluster, whose server may have known it. */
  readonly accept: ReportProblem = (problem) => {
    this.warn(problem, 'ignored, because the cluster accepted it: ');
  };

  /** Reports objects given with `-p` that nothing uses. */
  reportUnused(unused: readonly Manifest[]): void {
    const [first] = unused;
    if (first === undefined) return;
    const message =
      unused.length === 1
        ? `${first.title}, given with -p, is not used by any policy and was ignored; use -r to check it`
        : `${unused.length} objects given with -p are not used by any policy and were ignored; use -r to check them (the first is ${first.title})`;
    this.warn({ file: first.file, message });
  }
}
