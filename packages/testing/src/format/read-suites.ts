import {
  isRecord,
  Manifest,
  type Path,
  type ReadDocument,
  readDocuments,
  type Source,
} from '@kubeadmit/manifest';
import { checkShape, type ShapeProblem } from './check-shape.ts';
import { CaseReader } from './read-cases.ts';
import type { ReadSuites, Suite } from './suite.ts';
import { suiteSchema } from './suite-schema.ts';

/** The names of suite files. */
export const suiteFileName: RegExp = /\.admit\.ya?ml$/;

/**
 * Reads the suites of a file, one per document. Problems are reported with their positions; invalid cases or groups
 * are skipped, and a suite is skipped if its fields outside of cases are invalid.
 */
export function readSuites(source: Source): ReadSuites {
  const { documents, problems } = readDocuments(source);
  const all = [...problems];
  const suites: Suite[] = [];
  for (const document of documents) {
    const found: ShapeProblem[] = isObjectOfCluster(document.value)
      ? [{ path: [], message: noSuite }]
      : [...checkShape(document.value, suiteSchema)];
    const isWhole = found.every(({ path }) => brokenPart(path).length > 0);
    const suite = isWhole ? readSuite(document, source, found) : undefined;
    const manifest = new Manifest(document.value as never, document.origin, document.path);
    for (const { path, message, isOfKey } of found) {
      const key = isOfKey === true ? manifest.keyRange(path) : undefined;
      const place = key === undefined ? manifest.place(path) : source.placeAt(key.start);
      all.push({ file: source.name, place, message, source });
    }
    if (suite !== undefined) suites.push(suite);
  }
  if (documents.length + problems.length === 0) {
    all.push({ file: source.name, message: 'the file contains no suite' });
  }
  return { suites, problems: all };
}

const noSuite =
  'this is a Kubernetes object, not a suite. Use `kubeadmit check` to evaluate policies for manifests';

function isObjectOfCluster(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { apiVersion, kind } = value;
  const isOurs = typeof apiVersion === 'string' && apiVersion.startsWith('kubeadmit.dev/');
  return typeof apiVersion === 'string' && typeof kind === 'string' && !isOurs;
}

function readSuite(
  document: ReadDocument,
  source: Source,
  found: ShapeProblem[],
): Suite | undefined {
  const value = isRecord(document.value) ? document.value : {};
  const { name, strict } = value;
  const manifest = new Manifest(value as never, document.origin, document.path);
  const placeOf = (path: Path) => manifest.place(path);
  const broken = new Set(found.map(({ path }) => pathKey(brokenPart(path))));
  const complain = (problem: ShapeProblem): void => {
    found.push(problem);
    broken.add(pathKey(brokenPart(problem.path)));
  };
  const isBroken = (path: Path): boolean =>
    path.some((_, end) => broken.has(pathKey(path.slice(0, end)))) || broken.has(pathKey(path));
  const read = new CaseReader(placeOf, complain).read(value, isBroken);
  const cases = read.filter(({ path }) => !isBroken(path));
  if (broken.has('') || (cases.length === 0 && found.length > 0)) return undefined;
  return {
    file: source.name,
    name: typeof name === 'string' ? name : defaultName(source.name),
    source,
    document,
    // Unused objects may be used by skipped cases.
    strict: strict !== false && broken.size === 0,
    cases,
  };
}

/** The innermost case or group of cases that contains a path; empty for the suite itself. */
function brokenPart(path: Path): Path {
  const last = path.findLastIndex(
    (step, index) => step === 'cases' && typeof path[index + 1] === 'number',
  );
  return last < 0 ? [] : path.slice(0, last + 2);
}

function pathKey(path: Path): string {
  return path.join('/');
}

function defaultName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(suiteFileName, '');
}
