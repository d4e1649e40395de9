import type { CheckedObject } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go/internal';
import { stringifyYaml } from '@kubeadmit/manifest';
import { version } from '../../version.ts';
import { formatReport } from '../formats/formats.ts';
import { type NamespacedResult, policyReports, policyResults } from '../formats/policy-report.ts';
import type { ReportItem } from '../formats/report.ts';
import { colouredStyle, plainStyle } from '../style.ts';
import { itemsOf } from './items.ts';
import { annotationRows, documentEnd, resultRows } from './rows.ts';
import type { CheckSummary } from './tally.ts';
import { fileHeading, isWorthALook, objectText, remarksOf, summaryText } from './text.ts';

/** An object that was checked, and how long that took. */
export interface TimedObject {
  readonly object: CheckedObject;
  readonly seconds: number;
}

/** What a report is written in. */
export interface StreamTarget {
  readonly format: string;
  readonly isColoured: boolean;
  readonly isQuiet: boolean;
}

/** The same, and what is known of the report before the first object. */
export interface StreamOptions extends StreamTarget {
  readonly policies: number;
  readonly kubernetesVersion: string;
}

/**
 * A report in one format that is written while objects are still checked, a part at a time.
 *
 * Parts hang together with nothing, so that they can be made in other threads; adding them in the order of the objects
 * gives the same text whatever the parts are.
 */
export interface ReportStream<Part = unknown> {
  /** What the format takes of some objects; it can be sent from one thread to another. */
  part(objects: readonly TimedObject[]): Part;
  /** Takes the next part, and gives the text that can be written then. */
  add(part: Part): string;
  /** The rest of the text. */
  end(summary: CheckSummary): string;
}

/** The stream of a format. */
export function reportStream(options: StreamOptions): ReportStream {
  switch (options.format) {
    case 'text':
      return new TextStream(options) as ReportStream;
    case 'json':
      return new JsonStream(options) as ReportStream;
    case 'ndjson':
      return new JsonLines() as ReportStream;
    case 'yaml':
      return new YamlStream(options) as ReportStream;
    case 'policyreport':
      return new PolicyReports() as ReportStream;
    default:
      return new ItemStream(options.format) as ReportStream;
  }
}

/** Each object that is shown, by its file. */
type TextPart = readonly (readonly [file: string, text: string])[];

class TextStream implements ReportStream<TextPart> {
  readonly #options: StreamOptions;
  #file: string | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  get #style() {
    return this.#options.isColoured ? colouredStyle : plainStyle;
  }

  part(objects: readonly TimedObject[]): TextPart {
    const { isQuiet, policies } = this.#options;
    // Where no policy acts, nobody is told of objects that none concerns.
    if (policies === 0) return [];
    return objects.flatMap(({ object }) =>
      isQuiet && !isWorthALook(object)
        ? []
        : [[object.file, objectText(object, this.#style)] as const],
    );
  }

  add(part: TextPart): string {
    const texts = part.map(([file, text]) => {
      if (file === this.#file) return text;
      const heading = fileHeading(file, this.#file === undefined, this.#style);
      this.#file = file;
      return heading + text;
    });
    return texts.join('');
  }

  end(summary: CheckSummary): string {
    const { isQuiet, policies } = this.#options;
    if (policies === 0 || summary.tally.objects === 0) return '';
    return isQuiet && this.#file === undefined ? '' : summaryText(summary, this.#style);
  }
}

/** The rows of some objects as a document has them, and what policies write into the audit log. */
interface DocumentPart {
  readonly rows: string;
  readonly annotations: readonly unknown[];
}

class JsonStream implements ReportStream<DocumentPart> {
  readonly #head: Readonly<Record<string, unknown>>;
  readonly #annotations: unknown[] = [];
  #hasRows = false;

  constructor({ kubernetesVersion }: StreamOptions) {
    this.#head = documentHead(kubernetesVersion);
  }

  part(objects: readonly TimedObject[]): DocumentPart {
    const rows = objects.flatMap(({ object }) => resultRows(object));
    const annotations = objects.flatMap(({ object }) => annotationRows(object));
    if (rows.length === 0) return { rows: '', annotations };
    // The elements of a list, indented as they are in a list of the document.
    const text = stringifyJson({ '': rows }, { indent: 2 });
    return { rows: text.slice(text.indexOf('[') + 1, text.lastIndexOf('\n  ]')), annotations };
  }

  add({ rows, annotations }: DocumentPart): string {
    this.#annotations.push(...annotations);
    if (rows === '') return '';
    const head = stringifyJson(this.#head, { indent: 2 }).replace(/\n\}$/, ',\n  "results": [');
    const lead = this.#hasRows ? ',' : head;
    this.#hasRows = true;
    return lead + rows;
  }

  end(summary: CheckSummary): string {
    const end = documentEnd(summary, this.#annotations);
    return this.#hasRows
      ? `\n  ],${stringifyJson(end, { indent: 2 }).slice(1)}\n`
      : `${stringifyJson({ ...this.#head, results: [], ...end }, { indent: 2 })}\n`;
  }
}

class JsonLines implements ReportStream<string> {
  part(objects: readonly TimedObject[]): string {
    const rows = objects.flatMap(({ object }) => resultRows(object));
    return rows.map((row) => `${stringifyJson(row)}\n`).join('');
  }

  add(part: string): string {
    return part;
  }

  end(): string {
    return '';
  }
}

class YamlStream implements ReportStream<DocumentPart> {
  readonly #head: Readonly<Record<string, unknown>>;
  readonly #annotations: unknown[] = [];
  #hasRows = false;

  constructor({ kubernetesVersion }: StreamOptions) {
    this.#head = documentHead(kubernetesVersion);
  }

  part(objects: readonly TimedObject[]): DocumentPart {
    const results = objects.flatMap(({ object }) => resultRows(object));
    const annotations = objects.flatMap(({ object }) => annotationRows(object));
    const text = results.length === 0 ? '' : stringifyYaml({ results });
    return { rows: text.slice('results:\n'.length), annotations };
  }

  add({ rows, annotations }: DocumentPart): string {
    this.#annotations.push(...annotations);
    if (rows === '') return '';
    const lead = this.#hasRows ? '' : `${stringifyYaml(this.#head)}results:\n`;
    this.#hasRows = true;
    return lead + rows;
  }

  end(summary: CheckSummary): string {
    const end = documentEnd(summary, this.#annotations);
    return stringifyYaml(this.#hasRows ? end : { ...this.#head, results: [], ...end });
  }
}

function documentHead(kubernetesVersion: string): Readonly<Record<string, unknown>> {
  return { version, kubernetesVersion };
}

class PolicyReports implements ReportStream<readonly NamespacedResult[]> {
  readonly #results: NamespacedResult[] = [];

  part(objects: readonly TimedObject[]): readonly NamespacedResult[] {
    return objects.flatMap(({ object }) => policyResults(object));
  }

  add(part: readonly NamespacedResult[]): string {
    for (const each of part) this.#results.push(each);
    return '';
  }

  end(): string {
    return policyReports(this.#results);
  }
}

/** Formats that show nothing of what is fine. */
const findingsOnly: ReadonlySet<string> = new Set(['sarif', 'github', 'gitlab']);

/** A format whose head counts what follows: items are kept until all are there. */
class ItemStream implements ReportStream<readonly ReportItem[]> {
  readonly #format: string;
  readonly #items: ReportItem[] = [];

  constructor(format: string) {
    this.#format = format;
  }

  part(objects: readonly TimedObject[]): readonly ReportItem[] {
    const items = objects.flatMap(({ object, seconds }) => itemsOf(object, seconds));
    return findingsOnly.has(this.#format) ? items.filter(({ level }) => level !== 'none') : items;
  }

  add(part: readonly ReportItem[]): string {
    for (const item of part) this.#items.push(item);
    return '';
  }

  end(summary: CheckSummary): string {
    const report = {
      title: 'kubeadmit check',
      items: this.#items,
      remarks: remarksOf(summary),
      document: {},
      rows: [],
    };
    const text = formatReport(report, this.#format);
    if (text === undefined) throw new Error(`there is no format ${this.#format}`);
    return text;
  }
}
