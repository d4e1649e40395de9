import { isObject, type JsonObject, member, textOf } from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/unstable-internal';
import { interruptedText, isInterrupted } from '@kubeadmit/cel/unstable-internal';
import { compileExpression, type SearchOptions } from '../jmespath/expression.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { RuleTracer } from '../trace/rule-trace.ts';
import { DeferredEntries, type EntryLoader, matcherOf } from './deferred-entries.ts';
import { merged, nested } from './merge.ts';

const namesImages = matcherOf('images') ?? (() => true);

/** How many bytes of context entries may be loaded. */
const sizeLimit = 2 * 1024 * 1024;

const interrupted = new Failure(interruptedText);

/** The options of a context. */
export interface ContextOptions extends SearchOptions {
  /** The admission operation, which the data say too. */
  readonly operation?: string;
  /** The variable `images`, made when a query first names it; undefined where there are none. */
  readonly images?: () => JsonObject | Failure | undefined;
  /** Records the queries over the data. */
  readonly trace?: RuleTracer | undefined;
}

interface ElementNames {
  readonly element: string;
  readonly index: string;
}

const namesByNesting: ElementNames[] = [];

/** The names of a loop's variables, which are the same strings every time: V8 finds members by those faster. */
function elementNames(nesting: number): ElementNames {
  const known = namesByNesting[nesting];
  if (known !== undefined) return known;
  const names = { element: `element${nesting}`, index: `elementIndex${nesting}` };
  namesByNesting[nesting] = names;
  return names;
}

/** The data that variables read, with checkpoints to go back to (Kyverno's JSON context). */
export class JsonContext {
  // INVARIANT: nothing inside the data is changed in place, except lists by `sort_by` in a separate copy.
  // INVARIANT: the data are undefined until they differ from the initial ones or are read.
  #data: JsonObject | undefined;
  readonly #begin: () => JsonObject;
  #first: JsonObject | undefined;
  #size = 0;
  #operation: string;
  readonly #checkpoints: (JsonObject | undefined)[] = [];
  #entries: DeferredEntries | undefined;
  readonly #options: ContextOptions;
  readonly trace: RuleTracer | undefined;

  /** A context of the data that a function gives when they are first read. */
  constructor(begin: () => JsonObject, options: ContextOptions = {}) {
    this.#begin = begin;
    this.#options = options;
    this.trace = options.trace;
    this.#operation = options.operation ?? '';
  }

  /** The admission operation: the one that was set, or the one in the data. */
  get operation(): string {
    if (this.#operation !== '') return this.#operation;
    const request = member(this.#read(), 'request');
    const operation = isObject(request) ? member(request, 'operation') : undefined;
    return textOf(operation);
  }

  setOperation(operation: string): void {
    this.add(['request', 'operation'], operation);
    this.#operation = operation;
  }

  /** Evaluates a JMESPath expression over the data. Entries that it names are loaded first. */
  query(text: string): unknown {
    if (isInterrupted()) return interrupted;
    if (this.#entries === undefined && this.#options.images !== undefined && namesImages(text)) {
      this.#entries = this.#makeEntries();
    }
    if (this.#entries !== undefined && !this.#entries.isEmpty) {
      const problem = this.#entries.loadMatching(text, this.#checkpoints.length);
      if (problem !== undefined) return problem;
    }
    const query = text.trim();
    if (query === '') return new Failure('invalid query (nil)');
    const expression = compileExpression(query);
    if (expression instanceof Failure) {
      return new Failure(`incorrect query ${query}: ${expression.message}`);
    }
    // Earlier results must not change.
    if (expression.reorders) this.#data = copyJson(this.#read()) as JsonObject;
    const result = expression.search(this.#read(), this.#options);
    return result instanceof Failure
      ? new Failure(`JMESPath query failed: ${result.message}`)
      : result;
  }

  /** Evaluates an expression over other data, with the same clock. */
  search(text: string, data: unknown): unknown {
    if (isInterrupted()) return interrupted;
    const expression = compileExpression(text);
    if (expression instanceof Failure) {
      return new Failure(`failed to compile JMESPath: ${text}, error: ${expression.message}`);
    }
    return expression.search(expression.reorders ? copyJson(data) : data, this.#options);
  }

  #read(): JsonObject {
    if (this.#data === undefined) {
      this.#first ??= this.#begin();
      this.#data = this.#first;
    }
    return this.#data;
  }

  /** The variable `images` is there before any other entry. */
  #makeEntries(): DeferredEntries {
    const { images } = this.#options;
    const entries = new DeferredEntries();
    if (images === undefined) return entries;
    entries.add(
      'images',
      {
        isLoaded: () => false,
        load: () => {
          const found = images();
          if (found instanceof Failure) return found;
          if (found !== undefined) this.add(['images'], found);
          return undefined;
        },
      },
      0,
    );
    return entries;
  }

  /** Merges a value into the data at a path. */
  add(path: readonly string[], value: unknown): void {
    const addition = nested(path, value);
    if (isObject(addition)) this.#data = merged(this.#read(), addition);
  }

  /** Replaces the value at a path. */
  replace(path: readonly string[], value: unknown): void {
    this.add(path, null);
    this.add(path, value);
  }

  /** Sets members of the root without merging. */
  set(members: JsonObject): void {
    const data = { ...this.#read() };
    for (const key of Object.keys(members)) data[key] = members[key];
    this.#data = data;
  }

  /** Sets the variables of an element of a loop at a depth of nesting. */
  setElement(element: unknown, index: number, nesting: number): void {
    const names = elementNames(nesting);
    const place = BigInt(index);
    const data = { ...this.#read() };
    data['element'] = element;
    data[names.element] = element;
    data['elementIndex'] = place;
    data[names.index] = place;
    this.#data = data;
  }

  /** Whether a member of the request is the very value that is given. */
  shows(key: string, value: JsonObject): boolean {
    const request = member(this.#read(), 'request');
    return isObject(request) && member(request, key) === value;
  }

  /** Takes a member of the request away. */
  removeFromRequest(key: string): void {
    const request = member(this.#read(), 'request');
    if (!isObject(request) || !Object.hasOwn(request, key)) return;
    const { [key]: _removed, ...rest } = request;
    this.set({ request: rest });
  }

  /** Counts the bytes of a loaded entry; a `Failure` once they are too many. */
  countSize(bytes: number): Failure | undefined {
    const size = this.#size + bytes;
    if (size > sizeLimit) {
      return new Failure(
        `context size limit exceeded: ${size} bytes exceeds limit of ${sizeLimit} bytes`,
      );
    }
    this.#size = size;
    return undefined;
  }

  /**
   * Registers an entry that is loaded when it is first named. Returns false if its name is not a valid regular
   * expression.
   */
  defer(name: string, loader: EntryLoader): boolean {
    this.#entries ??= this.#makeEntries();
    return this.#entries.add(name, loader, this.#checkpoints.length);
  }

  /** Remembers the present state. */
  checkpoint(): void {
    this.#checkpoints.push(this.#data);
  }

  /** Goes back to the last checkpoint and forgets it. */
  restore(): void {
    if (this.#checkpoints.length === 0) return;
    this.#data = this.#checkpoints.pop();
    this.#entries?.reset(true, this.#checkpoints.length);
  }

  /** Goes back to the last checkpoint and keeps it. */
  reset(): void {
    if (this.#checkpoints.length === 0) return;
    this.#data = this.#checkpoints.at(-1);
    this.#entries?.reset(false, this.#checkpoints.length);
  }
}
