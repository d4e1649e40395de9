import type { ValueEnvironment } from '@kubeadmit/cel/internal';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { describeValue, getOrMake } from '@kubeadmit/go/internal';
import { describeInCode } from './code-changes.ts';
import { newestMinor } from './versions.ts';
import { environmentWithoutSyntaxErrors } from './without-syntax-errors.ts';

const environments = new Map<string, ValueEnvironment>();

/**
 * Returns the environment of every expression in Kubernetes, without variables (apiserver
 * pkg/cel/environment/base.go).
 *
 * @param minor the version whose libraries are available; by default all are, as for stored expressions.
 * @param code the version of the server's own code, which decides about its cel-go (default: the newest).
 * @throws TypeError for a version that is not a number, such as `'1.37'`: see `parseVersion`
 */
export function baseEnvironment(minor?: number, code: number = newestMinor): ValueEnvironment {
  return getOrMake(environments, `${minor} ${code}`, () => {
    requireMinor(minor);
    requireMinor(code);
    return environmentWithoutSyntaxErrors(minor, code).extend({
      describeSyntaxErrors: describeInCode(code, describeSyntaxErrors),
    });
  });
}

function requireMinor(minor: number | undefined): void {
  if (minor === undefined || Number.isInteger(minor)) return;
  const found = describeValue(minor);
  throw new TypeError(
    `baseEnvironment takes a minor version such as 37, not ${found} (\`parseVersion\` reads strings)`,
  );
}
