import type { ValueEnvironment } from '@kubeadmit/cel/internal';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { describeInCode } from './code-changes.ts';
import { newestMinor } from './versions.ts';
import { environmentWithoutSyntaxErrors } from './without-syntax-errors.ts';

const environments = new Map<string, ValueEnvironment>();

/**
 * The environment that every expression in Kubernetes has, without variables (apiserver
 * pkg/cel/environment/base.go).
 *
 * @param minor the version whose libraries are there; without it all are, as for what is stored.
 * @param code the version of the server's own code, whose cel-go it is; default the newest.
 */
export function baseEnvironment(minor?: number, code: number = newestMinor): ValueEnvironment {
  const key = `${minor} ${code}`;
  let environment = environments.get(key);
  if (environment === undefined) {
    environment = environmentWithoutSyntaxErrors(minor, code).extend({
      describeSyntaxErrors: describeInCode(code, describeSyntaxErrors),
    });
    environments.set(key, environment);
  }
  return environment;
}
