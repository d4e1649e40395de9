import { stringifyJson } from '@kubeadmit/go';
import { stringifyYaml } from '@kubeadmit/manifest';
import { version } from '../../process/version.ts';
import { jsonWithoutCommands } from '../ci-commands.ts';
import { HeldTexts } from '../held-texts.ts';
import { yamlItems, yamlMembers } from '../yaml-without-commands.ts';
import { annotationRows, documentEnd, resultRows } from './rows.ts';
import type { ReportStream, StreamOptions, TimedObject } from './stream.ts';
import type { CheckSummary } from './tally.ts';

type Members = Readonly<Record<string, unknown>>;

/** How a document is written piece by piece: members, then lists, then more members. */
interface DocumentSyntax {
  readonly head: (members: Members) => string;
  /** Elements of a list, as they stand in it. */
  readonly elements: (rows: readonly unknown[]) => string;
  readonly between: string;
  readonly open: (list: string) => string;
  readonly close: string;
  readonly empty: (list: string) => string;
  readonly end: (members: Members) => string;
}

/** JSON, indented by two. */
export const jsonSyntax: DocumentSyntax = {
  head: (members) => stringifyJson(members, { indent: 2 }).replace(/\n\}$/, ''),
  elements: (rows) => {
    const text = stringifyJson({ '': rows }, { indent: 2 });
    return jsonWithoutCommands(text.slice(text.indexOf('[') + 1, text.lastIndexOf('\n  ]')));
  },
  between: ',',
  open: (list) => `,\n  ${JSON.stringify(list)}: [`,
  close: '\n  ]',
  empty: (list) => `,\n  ${JSON.stringify(list)}: []`,
  end: (members) => {
    const text = stringifyJson(members, { indent: 2 }).slice(1);
    return `,${jsonWithoutCommands(text)}\n`;
  },
};

/** YAML. */
export const yamlSyntax: DocumentSyntax = {
  head: yamlMembers,
  elements: yamlItems,
  between: '',
  open: (list) => `${list}:\n`,
  close: '',
  empty: (list) => stringifyYaml({ [list]: [] }),
  end: yamlMembers,
};

/** The one document of `-o json` and `-o yaml`. */
export class DocumentStream implements ReportStream {
  readonly #syntax: DocumentSyntax;
  readonly #annotations = new HeldTexts();
  #head: string;
  #hasRows = false;
  #hasAnnotations = false;

  constructor({ kubernetesVersion }: StreamOptions, syntax: DocumentSyntax) {
    this.#syntax = syntax;
    this.#head = syntax.head({ version, kubernetesVersion });
  }

  add(objects: readonly TimedObject[]): readonly string[] {
    const { between, open } = this.#syntax;
    const rows = this.#elements(objects.flatMap(({ object }) => resultRows(object)));
    const annotations = this.#elements(objects.flatMap(({ object }) => annotationRows(object)));
    if (annotations !== '') {
      this.#annotations.hold('', (this.#hasAnnotations ? between : '') + annotations);
      this.#hasAnnotations = true;
    }
    if (rows === '') return [];
    const lead = this.#hasRows ? between : this.#head + open('results');
    this.#hasRows = true;
    this.#head = '';
    return [lead + rows];
  }

  #elements(rows: readonly unknown[]): string {
    return rows.length === 0 ? '' : this.#syntax.elements(rows);
  }

  *end(summary: CheckSummary): Generator<string> {
    const { open, close, empty, end } = this.#syntax;
    yield this.#hasRows ? close : this.#head + empty('results');
    if (this.#hasAnnotations) {
      yield open('auditAnnotations');
      yield* this.#annotations.take('');
      yield close;
    }
    yield end(documentEnd(summary));
  }
}
