import type { CheckedObject } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import { jsonWithoutCommands } from '../ci-commands.ts';
import { itemFormat } from '../formats/formats.ts';
import { idleItem, leftOutItem, nothingItem, skippedItem } from '../left-out.ts';
import { newClusterRemark } from '../plugin-assumptions.ts';
import type { ItemFormat } from '../report.ts';
import { colouredStyle, plainStyle } from '../style.ts';
import { DocumentStream, jsonSyntax, yamlSyntax } from './document-stream.ts';
import { itemsOf } from './items.ts';
import { PolicyReports } from './policy-report.ts';
import { resultRows } from './rows.ts';
import type { ReportStream, StreamOptions, TimedObject } from './stream.ts';
import type { CheckSummary } from './tally.ts';
import { fileHeading, isWorthALook, objectText, remarksOf, summaryText } from './text.ts';

/** The stream of a format. */
export function reportStream(options: StreamOptions): ReportStream {
  const make = streams[options.format] ?? (({ format }) => new ItemStream(format));
  return make(options);
}

const streams: Readonly<Record<string, (options: StreamOptions) => ReportStream>> = {
  text: (options) => new TextStream(options),
  json: (options) => new DocumentStream(options, jsonSyntax),
  ndjson: () => new JsonLines(),
  yaml: (options) => new DocumentStream(options, yamlSyntax),
  policyreport: () => new PolicyReports(),
};

class TextStream implements ReportStream {
  readonly #options: StreamOptions;
  #file: string | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  get #style() {
    return this.#options.isColoured ? colouredStyle : plainStyle;
  }

  get #isSilent(): boolean {
    const { policies, isSchemaCheck } = this.#options;
    return policies === 0 && isSchemaCheck !== true;
  }

  add(objects: readonly TimedObject[]): readonly string[] {
    const { isQuiet } = this.#options;
    // If no policy acts, objects without a match are not reported.
    const areProblemsOnly = isQuiet || this.#isSilent;
    const shown = objects.filter(({ object }) => !areProblemsOnly || isWorthALook(object));
    return [shown.map(({ object }) => this.#text(object)).join('')];
  }

  #text(object: CheckedObject): string {
    const text = objectText(object, this.#style);
    if (object.file === this.#file) return text;
    const heading = fileHeading(object.file, this.#file === undefined, this.#style);
    this.#file = object.file;
    return heading + text;
  }

  end(summary: CheckSummary): readonly string[] {
    const { isQuiet } = this.#options;
    if (summary.tally.objects === 0) return [];
    const isEmpty = this.#file === undefined;
    if (isEmpty && (isQuiet || this.#isSilent)) return [];
    return [summaryText(summary, this.#style, isQuiet)];
  }
}

class JsonLines implements ReportStream {
  add(objects: readonly TimedObject[]): readonly string[] {
    const rows = objects.flatMap(({ object }) => resultRows(object));
    return [jsonWithoutCommands(rows.map((row) => `${stringifyJson(row)}\n`).join(''))];
  }

  end({ skipped }: CheckSummary): readonly string[] {
    const rows = skipped.map(({ file, message }) => ({ file, verdict: 'skip', message }));
    return rows.map((row) => `${jsonWithoutCommands(stringifyJson(row))}\n`);
  }
}

/** A format that is made of items, one for each policy that has to do with an object. */
class ItemStream implements ReportStream {
  readonly #format: ItemFormat;

  constructor(name: string) {
    const format = itemFormat(name, { title: 'kubeadmit check', clock: Date.now });
    if (format === undefined) throw new Error(`unknown format ${name}`);
    this.#format = format;
  }

  add(objects: readonly TimedObject[]): Iterable<string> {
    return this.#format.add(objects.flatMap(({ object, seconds }) => itemsOf(object, seconds)));
  }

  *end(summary: CheckSummary): Generator<string> {
    const { leftOut, skipped, idle, nothingJudged, coverage } = summary;
    const file = summary.policyFile ?? skipped[0]?.file ?? '';
    const nothing = nothingJudged === 'error' ? [nothingItem(file, coverage)] : [];
    const besides = [
      ...leftOut.map(leftOutItem),
      ...skipped.map(skippedItem),
      ...nothing,
      ...idle.map((message) => idleItem(message, file)),
    ];
    yield* this.#format.add(besides);
    const assumed = newClusterRemark(coverage.assumedByPlugins) ?? [];
    yield* this.#format.end([...remarksOf(summary), ...[assumed].flat()]);
  }
}
