import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { formatFieldPath } from '@kubeadmit/apimachinery/field-errors';
import type { Value } from '@kubeadmit/cel';
import { type KyvernoPolicies, kyvernoRole, policyJson } from '@kubeadmit/chain/kyverno';
import { quote } from '@kubeadmit/go';
import { validateException, validateGlobalContext } from '@kubeadmit/kyverno/validation';
import {
  type Manifest,
  type Path,
  parseFieldPath,
  type TextRange,
  valueAt,
} from '@kubeadmit/manifest';
import { expressionProblems } from '../inputs/refusal-problems.ts';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { refusedBySchema } from './schema-issues.ts';

/** Returns the manifest that an object is from; both have to be among the same inputs. */
export type ManifestSource = (object: KubernetesObject) => Manifest;

/** Makes the way back from objects to where they stand. */
export function manifestSource(manifests: readonly Manifest[]): ManifestSource {
  const byObject = new Map<KubernetesObject, Manifest>(
    manifests.map((manifest) => [manifest.object, manifest]),
  );
  return (object) => {
    const manifest = byObject.get(object);
    if (manifest === undefined) throw new Error('the object is not among the manifests');
    return manifest;
  };
}

const code = 'kyverno-refused';

/** Returns the errors of policies that the server or Kyverno would reject. */
export function refusedPolicies(
  policies: KyvernoPolicies,
  manifestOf: ManifestSource,
): readonly LintIssue[] {
  const { classic, cel, cleanup, unsupported } = policies;
  return [
    // Objects that violate their definition never reach Kyverno.
    ...classic.flatMap(({ object, verdict }) => {
      const manifest = manifestOf(object);
      const found = refusedBySchema(manifest);
      if (found.length > 0) return found;
      return verdict().problems.map(({ message, path }) => refusal(manifest, path, message));
    }),
    ...cleanup.flatMap(({ object, problems }) => {
      const manifest = manifestOf(object);
      const found = refusedBySchema(manifest);
      if (found.length > 0) return found;
      return problems().map(({ message, path }) => refusal(manifest, path, message));
    }),
    ...[...cel, ...unsupported].flatMap(({ object, policy }) => {
      const manifest = manifestOf(object);
      const found = refusedBySchema(manifest);
      if (found.length > 0) return found;
      return [...policy.problems, ...policy.refusals].flatMap(({ path, message }) =>
        refusals(manifest, parseFieldPath(path), message),
      );
    }),
  ];
}

/**
 * Returns why the server or Kyverno's webhook would refuse exceptions and data of rules; manifests of other kinds have
 * no issues.
 */
export function refusedAuxiliaries(manifests: readonly Manifest[]): readonly LintIssue[] {
  return manifests.flatMap((manifest) => {
    const role = kyvernoRole(manifest);
    if (role !== 'exception' && role !== 'data') return [];
    const found = refusedBySchema(manifest);
    if (found.length > 0) return found;
    const validate = role === 'exception' ? validateException : validateGlobalContext;
    return validate(policyJson(manifest.object)).flatMap(({ path, message }) =>
      refusals(manifest, path, message),
    );
  });
}

function refusals(manifest: Manifest, path: Path, message: string): readonly LintIssue[] {
  const within = expressionIssues(manifest, formatFieldPath(path), message);
  return within.length > 0 ? within : [refusal(manifest, path, message)];
}

function refusal(manifest: Manifest, path: Path, message: string): LintIssue {
  const at = placeOfText(manifest, path, quotedIn(message));
  const issue = issueAt(manifest, at.path, { code, severity: 'error', message }, at.range);
  return { ...issue, field: formatFieldPath(path), refused: true };
}

/**
 * Returns the issues of an expression with their positions in it; empty if the message refers to a generated rule.
 */
function expressionIssues(manifest: Manifest, field: string, message: string): LintIssue[] {
  const path = parseFieldPath(field);
  const expression = valueAt(manifest.object as Value, path);
  const start = message.indexOf('ERROR: <input>:');
  if (typeof expression !== 'string' || start === -1) return [];
  if (!message.slice(0, start).endsWith(`: ${quote(expression)}: `)) return [];
  return expressionProblems(manifest, { field, path }, message.slice(start)).map((problem) => ({
    ...problem,
    code,
    severity: 'error',
    refused: true,
  }));
}

/** The variable or query that a text of Kyverno is about. */
function quotedIn(message: string): string | undefined {
  const marker = ' must match regex';
  const last = message.lastIndexOf('variable ', message.lastIndexOf(marker));
  return (
    between(message, 'invalid JMESPath query ', ': ') ??
    between(message, 'failed to parse JMESPath ', ': ') ??
    between(message.slice(Math.max(last, 0)), 'variable ', marker) ??
    between(message, 'variable {{', '}} is not allowed')?.trim()
  );
}

/** The text between the first occurrence of a mark and the next one of another. */
function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before);
  const end = start === -1 ? -1 : text.indexOf(after, start + before.length);
  return end === -1 ? undefined : text.slice(start + before.length, end);
}

/** The string below a path that holds a text, and the text in it; else the path. */
function placeOfText(
  manifest: Manifest,
  path: Path,
  text: string | undefined,
): { readonly path: Path; readonly range?: TextRange } {
  if (text === undefined || text === '') return { path };
  const start = valueAt(manifest.object as Value, path);
  return stringWith(start, path, text) ?? { path };
}

function stringWith(
  value: unknown,
  path: Path,
  text: string,
): { readonly path: Path; readonly range: TextRange } | undefined {
  if (typeof value === 'string') {
    // Kyverno's texts leave out quotes.
    const at = value.includes(text) ? value.indexOf(text) : value.replaceAll('"', '').indexOf(text);
    if (at === -1) return undefined;
    return { path, range: { start: at, end: Math.min(value.length, at + text.length) } };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, i) => [i, item])
    : Object.entries(value);
  for (const [step, inner] of entries) {
    const found = stringWith(inner, [...path, step], text);
    if (found !== undefined) return found;
  }
  return undefined;
}
