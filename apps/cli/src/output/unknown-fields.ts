import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { findUnknownFields } from '@kubeadmit/lint/inputs';
import { findUnknownKyvernoFields } from '@kubeadmit/lint/kyverno';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { Terminal } from '../process/terminal.ts';
import { problemText } from './problems.ts';
import { styleFor } from './style.ts';

/** Fields of an object that its kind does not have, Kyverno's kinds included. */
export function unknownFieldsOf(
  manifest: Manifest,
  schemas: Schemas,
): ReturnType<typeof findUnknownKyvernoFields> {
  return kyvernoRole(manifest) === undefined
    ? findUnknownFields(manifest, schemas)
    : findUnknownKyvernoFields(manifest);
}

/** Reports unknown fields of policies: the policies act without them, as on a server. */
export function noteUnknownFields(
  manifests: readonly Manifest[],
  schemas: Schemas,
  terminal: Terminal,
): void {
  const style = styleFor(terminal.stderr, terminal.env);
  for (const manifest of manifests) {
    for (const problem of unknownFieldsOf(manifest, schemas)) {
      const message = `${problem.message}; the policy is used without it`;
      terminal.stderr.write(problemText({ ...problem, message }, 'warning', style));
    }
  }
}
