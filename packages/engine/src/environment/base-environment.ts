import type { ValueEnvironment } from '@kubeadmit/cel/internal';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { describeValue, getOrMake } from '@kubeadmit/go/internal';
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
 * @throws TypeError for a version that is no number, such as `'1.37'`: `parseVersion` reads that
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
    `baseEnvironment takes a minor version such as 37, not ${found} (\`parseVersion\` reads texts)`,
  );
}
