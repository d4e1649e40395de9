import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const ROOT = new URL('../', import.meta.url);

/** The folders under `conformance/` that hold recorded cases. */
export function recordedFolders(): string[] {
  return (
    readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map((entry) => entry.name)
      // Cases for several server versions are stored separately from their answers.
      .filter((folder) => folder !== 'servers')
      .filter((folder) => recordedFiles(folder).length > 0)
      .sort()
  );
}

/** The names of the files of cases in a folder, of which large ones are compressed. */
export function recordedFiles(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT))
    .filter((name) => /\.ndjson(?:\.gz)?$/.test(name))
    .sort();
}

/** The recorded lines of a file. */
export function readRecorded(folder: string, file: string): string[] {
  const bytes = readFileSync(new URL(`${folder}/${file}`, ROOT));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const lines = text.split('\n');
  return lines.filter((line) => line.trim() !== '');
}

/** The list of cases that do not hold yet: `area/id` to the reason. */
export function readKnownGaps(): ReadonlyMap<string, string> {
  return readReasons('known-gaps.json');
}

/** Returns the subject of each file of cases: `area/file` mapped to the reason for recording it. */
export function readRecordedReasons(): ReadonlyMap<string, string> {
  return readReasons('reasons.json');
}

function readReasons(file: string): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(file, ROOT), 'utf8');
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}
