import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { runProgram } from '@kubeadmit/test-support';
import { auditTexts, denialText, policyWarnings, type Verdict, warningOf } from './verdict.ts';

const program = fileURLToPath(new URL('../../../../apps/cli/dist/main.js', import.meta.url));

/** A row of `kubeadmit check -o json`. */
interface Row {
  readonly file: string;
  readonly policy: string;
  readonly binding?: string;
  readonly verdict: string;
  /** Of an error that does not deny. */
  readonly actions?: readonly string[];
  readonly message?: string;
  readonly reason?: string;
}

interface Document {
  readonly results: readonly Row[];
  readonly auditAnnotations?: readonly {
    readonly file: string;
    readonly key: string;
    readonly value: string;
  }[];
  readonly leftOut: readonly unknown[];
}

/** The user that the server knows by the token of its administrator. */
const user = ['--as', 'admin', '--as-uid', 'admin-uid', '--as-group', 'system:masters'];

/** Writes each object into a separate file, named by its number, and returns the folder. */
export function writeManifests(folder: string, objects: readonly KubernetesObject[]): string {
  mkdirSync(folder, { recursive: true });
  objects.forEach((object, number) => {
    writeFileSync(join(folder, `${number}.json`), JSON.stringify(object));
  });
  return folder;
}

/** Runs `kubeadmit check` on the manifests of a folder, and returns the verdict about each by its number. */
export async function checkFolder(
  policies: string,
  manifests: string,
  options: readonly string[],
): Promise<(number: number) => Verdict> {
  const args = ['check', '-p', policies, '-r', manifests, ...options, ...user];
  const { exitCode, stdout, stderr } = await runProgram(process.execPath, [
    ...[program, ...args],
    ...['-o', 'json', '--plugins', 'policies'],
  ]);
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`exit code ${exitCode}: ${stderr}`);
  const document = JSON.parse(stdout) as Document;
  if (document.leftOut.length > 0) throw new Error(JSON.stringify(document.leftOut.slice(0, 3)));
  const rows = byNumber(document.results);
  const audits = byNumber(document.auditAnnotations ?? []);
  return (number) => verdictOf(rows.get(`${number}`) ?? [], audits.get(`${number}`) ?? []);
}

function byNumber<Entry extends { readonly file: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const number = basename(entry.file, '.json');
    groups.set(number, [...(groups.get(number) ?? []), entry]);
  }
  return groups;
}

function verdictOf(
  rows: readonly Row[],
  audits: readonly { readonly key: string; readonly value: string }[],
): Verdict {
  const [denied] = rows.filter((row) => acts(row, 'Deny'));
  return {
    // The first denial is the one that a server sends.
    denial:
      denied === undefined
        ? ''
        : denialText(
            denied.policy,
            denied.binding ?? '',
            denied.reason ?? 'Invalid',
            denied.message ?? '',
          ),
    warnings: policyWarnings(
      rows
        .filter((row) => acts(row, 'Warn'))
        .map(({ policy, binding = '', message = '' }) => warningOf(policy, binding, message)),
    ),
    audits: auditTexts(Object.fromEntries(audits.map(({ key, value }) => [key, value]))),
    changedBy: denied === undefined ? changesOf(rows) : undefined,
  };
}

/** Whether a row denies or warns. */
function acts({ verdict, actions = ['Deny'] }: Row, action: 'Deny' | 'Warn'): boolean {
  return verdict === action.toLowerCase() || (verdict === 'error' && actions.includes(action));
}

function changesOf(rows: readonly Row[]): readonly string[] {
  const changes = rows.filter(({ verdict }) => verdict === 'mutate');
  return changes.map(({ policy }) => policy).sort();
}
