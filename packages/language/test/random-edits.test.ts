import { readdirSync, readFileSync } from 'node:fs';
import { Random } from '@kubeadmit/random';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createLanguageService, type LanguageService, type Position } from '../src/index.ts';
import type { CaseFile } from './case.ts';

// Applies random edits. Nothing may throw, and the answers afterwards must equal those of a service that has only
// seen the final texts.
// EDITS=100000 makes a long run, and SEED selects another one. A long run also limits the processor time of each
// answer.
// If an answer took longer with everything loaded, new services repeat it, since garbage collection and compilation
// can delay any answer.
// The run fails if none of the repetitions is within the limit.

const edits = Number(process.env['EDITS'] ?? 2_000);
const seed = Number(process.env['SEED'] ?? 1);
const compareEvery = 50;
const isTimed = process.env['EDITS'] !== undefined;

/** The most time of the processor that an answer may take, in milliseconds. */
const limit = 50;
const attempts = 3;

const caseFolder = new URL('cases/', import.meta.url);
const seeds = readdirSync(caseFolder)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => (parse(readFileSync(new URL(name, caseFolder), 'utf8')) as CaseFile).cases)
  .flatMap(({ files = {} }) => Object.values(files))
  .map((text) => text.replace('¦', ''))
  // So that examples are there, among the files of the run.
  .map((text) => text.replaceAll(/(kubeadmit: example) \S+/g, '$1 b.yaml'));

const pieces = [
  ...'{}[]()<>"\'`:,.-?&*!|>%@#\\/= \n\t\r'.split(''),
  '\n---\n',
  '\n...\n',
  '---',
  '\n  - ',
  '\n    ',
  ': ',
  '- ',
  '{{ ',
  ' }}',
  '{{- if .a }}\n',
  '|-\n',
  '>-\n',
  '"""',
  '// ',
  '# ',
  'object.',
  'variables.',
  'spec:\n',
  'expression: ',
  'all(c, c.',
  'has(',
  ' && ',
  ' ? ',
  'kind: ',
  'apiVersion: v1\n',
  'metadata:\n  name: a\n',
  '😀',
  '\u2028',
  '\ufeff',
  '\ud800',
  'é',
  '&a ',
  '*a',
  '<<: ',
  '!!str ',
  '\u0000',
  '0x',
  '1e9',
  '-',
  "''",
  '""',
];

test(
  `${edits} random edits, seed ${seed}`,
  async () => {
    const numbers = new Random(seed);
    const random = (below: number): number => numbers.below(below);
    const pick = <Item>(items: readonly Item[]): Item => numbers.pick(items);
    if (isTimed) await loadEverything();
    const service = await createLanguageService();
    const uris = ['file:///w/a.yaml', 'file:///w/b.yaml', 'file:///w/c.json'];
    const times: number[] = [];
    const texts = new Map(uris.map((uri) => [uri, pick(seeds)]));
    for (const [uri, text] of texts) service.setDocument(uri, text);
    for (let edit = 1; edit <= edits; edit++) {
      const uri = pick(uris);
      const text = texts.get(uri) ?? '';
      const at = random(text.length + 1);
      const removed = random(3) === 0 ? random(Math.min(40, text.length - at + 1)) : 0;
      const kind = random(20);
      const pasted = (): string => {
        const from = pick(seeds);
        const start = random(from.length + 1);
        return from.slice(start, start + random(80));
      };
      const added = removed > 0 && kind > 10 ? '' : kind === 0 ? pasted() : pick(pieces);
      const changed =
        kind === 1 || text.length > 6_000
          ? pick(seeds)
          : text.slice(0, at) + added + text.slice(at + removed);
      texts.set(uri, changed);
      service.setDocument(uri, changed);
      const above = changed.slice(0, at).split('\n');
      const position = { line: above.length - 1, character: above.at(-1)?.length ?? 0 };
      const asked = random(questions.length);
      try {
        const question = questions[asked] as Question;
        const time = await timeOf(() => question(service, uri, position));
        times.push(time);
        if (isTimed && time > limit) {
          const again = await timesAnew(texts, (fresh) => question(fresh, uri, position));
          console.info(
            `NOTE: edit ${edit}, question ${asked}: ${[time, ...again].map((each) => each.toFixed(0)).join(', ')} ms`,
          );
          expect(Math.min(...again), 'the time of an answer, asked for anew').toBeLessThan(limit);
        }
        if (edit % compareEvery !== 0) continue;
        const fresh = await createLanguageService();
        for (const [each, last] of texts) fresh.setDocument(each, last);
        for (const question of questions) {
          expect(await question(service, uri, position)).toEqual(
            await question(fresh, uri, position),
          );
        }
      } catch (error) {
        throw new Error(
          `edit ${edit}, question ${asked} at ${JSON.stringify(position)} of ${JSON.stringify([...texts])}`,
          { cause: error },
        );
      }
    }
    if (!isTimed) return;
    times.sort((a, b) => a - b);
    const shown = [0.5, 0.99, 0.999, 1].map((part) => {
      const time = times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? 0;
      return `${part * 100} %: ${time.toFixed(1)} ms`;
    });
    console.info(`NOTE: time of the processor for an answer: ${shown.join(', ')}`);
  },
  Number.POSITIVE_INFINITY,
);

async function timeOf(answer: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await answer();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How long an answer takes services that were given these texts just now. */
async function timesAnew(
  texts: ReadonlyMap<string, string>,
  ask: (service: LanguageService) => unknown,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const fresh = await createLanguageService();
    for (const [uri, text] of texts) fresh.setDocument(uri, text);
    found.push(await timeOf(() => ask(fresh)));
  }
  return found;
}

/** Runs every request of every case once, so that everything that is loaded on demand is loaded. */
async function loadEverything(): Promise<void> {
  for (const text of seeds) {
    const service = await createLanguageService();
    const uri = 'file:///w/a.yaml';
    service.setDocument(uri, text);
    for (const question of questions) await question(service, uri, { line: 0, character: 0 });
  }
}

type Question = (service: LanguageService, uri: string, position: Position) => unknown;

const questions: readonly Question[] = [
  async (service) => [...(await service.diagnostics())],
  (service, uri, position) => service.completion(uri, position),
  (service, uri, position) => service.hover(uri, position),
  (service, uri, position) => service.signatureHelp(uri, position),
  (service, uri) => service.semanticTokens(uri),
  (service, uri, position) => service.references(uri, position),
  (service, uri, position) => service.rename(uri, position, 'a1'),
  (service, uri) => service.documentSymbols(uri),
  (service, uri) => service.foldingRanges(uri),
  (service, uri, position) => service.codeActions(uri, { start: position, end: position }),
  (service, uri) => service.inlayHints(uri),
  (service, uri, position) => service.formatExpressions(uri, { start: position, end: position }),
];
