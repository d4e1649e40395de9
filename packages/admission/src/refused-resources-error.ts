import type { ResourceProblem } from './loaded-policies.ts';

/** Resources that kube-apiserver would refuse, so that policies which are meant to act could not. */
export class RefusedResourcesError extends Error {
  override readonly name: string = 'RefusedResourcesError';
  /** The server's answer to the creation of each resource. */
  readonly errors: readonly ResourceProblem[];

  constructor(errors: readonly ResourceProblem[]) {
    const lines = errors.map(({ resource, message }) => `${resource}: ${message}`);
    const what = errors.length === 1 ? '1 resource' : `${errors.length} resources`;
    const help = "(`onErrors: 'report'` skips them and lists them in `errors`)";
    super(`kube-apiserver would refuse ${what} ${help}:\n${lines.join('\n')}`);
    this.errors = errors;
  }
}
