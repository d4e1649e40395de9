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

/** What files of suites are called. */
export const suiteFileName: RegExp = /\.admit\.ya?ml$/;

/**
 * Reads the suites of a file, one in each of its documents. Whatever is wrong with the file is told at its place,
 * and a suite with something wrong is left out.
 */
export function readSuites(source: Source): ReadSuites {
  const { documents, problems } = readDocuments(source);
  const all = [...problems];
  const suites: Suite[] = [];
  for (const document of documents) {
    const found: ShapeProblem[] = [...checkShape(document.value, suiteSchema)];
    const suite =
      found.length > 0 ? undefined : readSuite(document, source, (one) => found.push(one));
    const manifest = new Manifest(document.value as never, document.origin, document.path);
    for (const { path, message } of found) {
      all.push({ file: source.name, place: manifest.place(path), message, source });
    }
    if (suite !== undefined && found.length === 0) suites.push(suite);
  }
  if (documents.length + problems.length === 0) {
    all.push({ file: source.name, message: 'there is no suite in this file' });
  }
  return { suites, problems: all };
}

function readSuite(
  document: ReadDocument,
  source: Source,
  complain: (problem: ShapeProblem) => void,
): Suite {
  const value = isRecord(document.value) ? document.value : {};
  const { name, strict } = value;
  const manifest = new Manifest(value as never, document.origin, document.path);
  const placeOf = (path: Path) => manifest.place(path);
  return {
    file: source.name,
    name: typeof name === 'string' ? name : defaultName(source.name),
    source,
    document,
    strict: strict !== false,
    cases: new CaseReader(placeOf, complain).read(value),
  };
}

function defaultName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(suiteFileName, '');
}
