import { markRaw, reactive } from 'vue';
import type { FilePlace } from '../editor/file-place.ts';
import { Engine, SupersededError } from '../engine/engine.ts';
import { earlyAnswer, startWorker } from '../engine/start-worker.ts';
import type { RequestSetting, Setting } from '../worker/judgement.ts';
import type { EditorAnswer, EditorQuestion } from '../worker/language.ts';
import { plainRequest } from '../worker/plain-request.ts';
import { Converter } from './converter.ts';
import type { Example } from './example.ts';
import { freeName, plainFileName, withPlainNames } from './file-names.ts';
import type { Shared } from './share-link.ts';
import type { PlaygroundState } from './shown-state.ts';
import { uselessBindings } from './useless-bindings.ts';

/** How long the verdicts of the files may take, and a case of the machine interface. */
const milliseconds = { judge: 5_000, ask: 60_000 };

/** How long the rest of the page waits for the first verdict at most. */
const longestWait = 3_000;

/** How long the page is left alone after its first verdict. */
const restMilliseconds = 400;

/** Versions that can be chosen, the newest first. */
export const kubernetesVersions = ['1.37', '1.36', '1.35', '1.34', '1.33', '1.32', '1.31', '1.30'];

/** The playground of a page: its state, and the engines behind it. */
export class PlaygroundModel {
  readonly state: PlaygroundState = reactive({
    examples: [],
    files: {},
    active: '',
    selected: undefined,
    place: undefined,
    request: plainRequest,
    kubernetesVersion: kubernetesVersions[0] ?? '',
    otherVersion: '',
    judgement: undefined,
    otherJudgement: undefined,
    explanations: [],
    view: 'verdicts',
    conversion: undefined,
    proof: undefined,
    advice: [],
    failure: undefined,
    isBusy: false,
    notice: '',
  });

  /** The files as they were opened. */
  #opened: Readonly<Record<string, string>> = {};
  /** How often something was to be judged. */
  #judged = 0;
  #isAtRest = false;
  #answered: () => void = () => undefined;
  /** Resolves when there is a first result to show: a judgement or an error. */
  readonly firstAnswer: Promise<void> = new Promise((resolve) => {
    this.#answered = resolve;
  });
  /** Resolves when that was painted, or took too long: then everything else may start. */
  readonly firstShown: Promise<void> = new Promise((resolve) => {
    setTimeout(resolve, longestWait);
    void this.firstAnswer.then(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
  readonly #judging = new Engine({ start: startWorker, milliseconds: milliseconds.judge });
  readonly #converter = new Converter();
  readonly #asking = new Engine({ start: startWorker, milliseconds: milliseconds.ask });

  /** The files to begin with. */
  async loadExamples(): Promise<readonly Example[]> {
    const { examples } = await import('./examples.ts');
    this.state.examples = markRaw(examples);
    return examples;
  }

  /** Shows files in place of those that are open. */
  open(given: Readonly<Record<string, string>>): void {
    const files = withPlainNames(given);
    this.state.files = files;
    this.state.selected = undefined;
    this.state.explanations = [];
    this.state.advice = [];
    this.state.view = 'verdicts';
    this.state.conversion = undefined;
    this.state.proof = undefined;
    this.#opened = files;
    this.state.active = Object.keys(files)[0] ?? '';
    void this.#judge();
  }

  /** Shows the files of a link or an archive. */
  restore({ files, request, kubernetesVersion, otherVersion }: Shared): void {
    const { state } = this;
    state.request = { ...plainRequest, ...request };
    if (kubernetesVersions.includes(kubernetesVersion ?? '')) {
      state.kubernetesVersion = kubernetesVersion ?? '';
    }
    state.otherVersion = kubernetesVersions.includes(otherVersion ?? '')
      ? (otherVersion ?? '')
      : '';
    this.open(files);
    const unknown = [kubernetesVersion, otherVersion].find(
      (version = '') => version !== '' && !kubernetesVersions.includes(version),
    );
    if (unknown === undefined) return;
    const shown = state.kubernetesVersion;
    this.say(
      `The link requests Kubernetes ${unknown}, which is not supported. Showing results for ${shown}.`,
    );
  }

  /** Announces an action. */
  say(notice: string): void {
    this.state.notice = notice;
  }

  /** Changes the text of a file. */
  write(name: string, text: string): void {
    const before = this.state.files[name];
    if (before === text) return;
    this.state.files[name] = text;
    const unused = uselessBindings(this.state.files, this.#opened, { before, after: text });
    for (const file of unused) delete this.state.files[file];
    if (unused.length > 0) {
      this.say(`Closed ${unused.join(', ')}: Kyverno policies need no binding.`);
    }
    void this.#judge();
  }

  /** Adds a file and shows it. A name that is taken gets a number. */
  add(name: string, text: string): void {
    const free = freeName(plainFileName(name), (each) => Object.hasOwn(this.state.files, each));
    this.state.files[free] = text;
    this.state.active = free;
    void this.#judge();
  }

  /** Renames a file, unless the new name is empty or taken. */
  rename(name: string, wanted: string): void {
    if (wanted === '') return;
    const next = plainFileName(wanted);
    if (next === name || Object.hasOwn(this.state.files, next)) return;
    const renamed = Object.entries(this.state.files).map(([each, text]) => [
      each === name ? next : each,
      text,
    ]);
    this.state.files = Object.fromEntries(renamed);
    if (this.state.active === name) this.state.active = next;
    void this.#judge();
  }

  /** Closes a file. */
  remove(name: string): void {
    const names = Object.keys(this.state.files);
    const place = names.indexOf(name);
    delete this.state.files[name];
    if (this.state.active === name) this.state.active = names[place + 1] ?? names[place - 1] ?? '';
    void this.#judge();
  }

  /** Changes the request in which the objects are evaluated. */
  setRequest(change: Partial<RequestSetting>): void {
    this.state.request = { ...this.state.request, ...change };
    void this.#judge();
  }

  /** Chooses a Kubernetes version and, beside it, another or none. */
  setVersions(version: string, other: string): void {
    this.state.kubernetesVersion = version;
    this.state.otherVersion = other;
    void this.#judge();
  }

  /** Chooses the object whose values the editor shows. */
  select(index: number): void {
    this.state.selected = index;
  }

  /** The object whose values the editor shows: the selected one, or the first denied one. */
  get shown(): number {
    const { selected, judgement } = this.state;
    const denied = judgement?.objects.findIndex(({ outcome }) => outcome === 'denied') ?? -1;
    return selected ?? Math.max(0, denied);
  }

  /** Shows the verdicts or the converted policies. */
  show(view: PlaygroundState['view']): void {
    this.state.view = view;
    void this.#judge();
  }

  /** Shows a place of a file in the editor. */
  showPlace({ file, line, column }: FilePlace): void {
    if (!Object.hasOwn(this.state.files, file)) return;
    this.state.active = file;
    this.state.place = { file, line, column };
  }

  /** Ends the workers. */
  close(): void {
    this.#judging.close();
    this.#converter.close();
    this.#asking.close();
  }

  /** Answers one line of a command of the machine interface. */
  ask(command: string, line: string): Promise<string> {
    return this.#asking.ask<'ask'>({ type: 'ask', command, line });
  }

  /** Answers a request of the editor about a position in its file; undefined if a newer request replaced it. */
  async assist(question: Omit<EditorQuestion, 'file'>): Promise<EditorAnswer> {
    const setting = this.#setting();
    try {
      const about = { ...question, file: this.state.active };
      return await this.#judging.ask<'assist'>({ type: 'assist', setting, question: about });
    } catch {
      return null;
    }
  }

  /** Resolves when the shown results belong to the current files. */
  async settled(): Promise<void> {
    while (this.state.isBusy) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** The language service is loaded when the page had time to show its first verdict. */
  async #isStillWanted(): Promise<boolean> {
    const judged = this.#judged;
    if (!this.#isAtRest) await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
    this.#isAtRest = true;
    return judged === this.#judged;
  }

  async #judge(): Promise<void> {
    const { state } = this;
    const turn = ++this.#judged;
    state.isBusy = true;
    try {
      const setting = this.#setting();
      const question = { type: 'judge', setting } as const;
      const [judgement, otherJudgement] =
        earlyAnswer(question) ?? (await this.#judging.askInstead<'judge'>(question));
      // Ignores the answer to an outdated question, whose files have changed since.
      if (turn !== this.#judged) return;
      Object.assign(state, { judgement, otherJudgement, failure: undefined, isBusy: false });
      if (judgement?.convertible === 0) state.view = 'verdicts';
      this.#answered();
      if (state.view === 'conversion') void this.#convert(turn, setting);
      await this.firstShown;
      if (turn !== this.#judged) return;
      const explanations = await this.#judging.ask<'explain'>({ type: 'explain', setting });
      if (turn !== this.#judged) return;
      state.explanations = explanations;
      if (!(await this.#isStillWanted())) return;
      const advice = await this.#judging.ask<'lint'>({ type: 'lint', setting });
      if (turn === this.#judged) state.advice = advice;
    } catch (error) {
      if (error instanceof SupersededError || turn !== this.#judged) return;
      const failure = error instanceof Error ? error.message : String(error);
      Object.assign(state, { judgement: undefined, otherJudgement: undefined, failure });
      state.isBusy = false;
      this.#answered();
    }
  }

  async #convert(turn: number, setting: Setting): Promise<void> {
    const { state } = this;
    await this.#converter.convert(setting, (result) => {
      if (turn === this.#judged) Object.assign(state, result);
    });
  }

  #setting(): Setting {
    const { files, request, kubernetesVersion, otherVersion } = this.state;
    return {
      files: { ...files },
      request: { ...request, groups: [...request.groups] },
      kubernetesVersions: [kubernetesVersion, ...(otherVersion === '' ? [] : [otherVersion])],
    };
  }
}
