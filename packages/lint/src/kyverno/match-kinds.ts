import { member } from '@kubeadmit/apimachinery';
import { closest, didYouMean } from '@kubeadmit/base';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import type { Manifest, Path } from '@kubeadmit/manifest';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { issueAt, type LintIssue, requireManifest } from '../issue/issue.ts';
import { repairString } from '../issue/repair.ts';
import { stringsIn } from './strings.ts';

/** Misspelled kinds in `match` and `exclude` of rules. */
export function unknownMatchKinds(manifest: Manifest, schemas: Schemas): readonly LintIssue[] {
  requireManifest('unknownMatchKinds', manifest);
  requireSchemas('unknownMatchKinds', schemas);
  if (kyvernoRole(manifest) !== 'classic') return [];
  const rules = member(member(manifest.object, 'spec'), 'rules');
  if (!Array.isArray(rules)) return [];
  const resources = listResources(schemas);
  const kinds = new Set([
    ...resources.map(({ kind }) => kind),
    ...resources.flatMap(({ subresources }) => subresources.map(({ kind }) => kind)),
  ]);
  const plurals = new Map(resources.map(({ resource, kind }) => [resource, kind]));
  return rules.flatMap((rule, i) =>
    ['match', 'exclude'].flatMap((block) =>
      stringsIn(member(rule, block), ['spec', 'rules', i, block]).flatMap(({ path, text }) => {
        if (path.at(-2) !== 'kinds') return [];
        const name = kindIn(text);
        if (name === undefined || kinds.has(name)) return [];
        const meant = plurals.get(name.toLowerCase()) ?? closestKind(name, kinds);
        return meant === undefined ? [] : [kindIssue(manifest, path, text, name, meant)];
      }),
    ),
  );
}

// Short names of custom kinds are soon like others.
function closestKind(name: string, kinds: ReadonlySet<string>): string | undefined {
  return name.length >= shortest ? closest(name, kinds) : closest(name, kinds, 1);
}

const shortest = 8;

/** The kind of an entry such as `apps/v1/Deployment` or `Pod/exec`; undefined for one with wildcards. */
function kindIn(text: string): string | undefined {
  // Kinds of groups with a domain are custom ones.
  if (/[*?{]/.test(text) || /^[^/]*\./.test(text)) return undefined;
  return text.split(/[/.]/).find((part) => /^[A-Z]/.test(part)) ?? text.split('/').at(-1);
}

function kindIssue(
  manifest: Manifest,
  path: Path,
  text: string,
  name: string,
  meant: string,
): LintIssue {
  const start = text.indexOf(name);
  const range = { start, end: start + name.length };
  const message = `\`${name}\` is not a known kind${didYouMean(meant)}`;
  const fix = repairString(manifest, path, { range, newText: meant });
  const issue = { code: 'unknown-kind', severity: 'warning', message, fix } as const;
  return issueAt(manifest, path, issue, range);
}
