import { findUnknownFields } from '@kubeadmit/lint/internal';
import { findUnknownKyvernoFields } from '@kubeadmit/lint/kyverno';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import type { Terminal } from '../terminal.ts';

/** Tells of fields of policies that their kinds do not have: the policies act without them, as on a server. */
export function noteUnknownFields(
  manifests: readonly Manifest[],
  schemas: Schemas,
  terminal: Terminal,
): void {
  const style = styleFor(terminal.stderr, terminal.env);
  for (const manifest of manifests) {
    const found = /kyverno\.io$/.test(manifest.group)
      ? findUnknownKyvernoFields(manifest)
      : findUnknownFields(manifest, schemas);
    for (const problem of found) {
      const message = `${problem.message}; the policy acts without it`;
      terminal.stderr.write(problemText({ ...problem, message }, 'warning', style));
    }
  }
}
