import type {
  ConvertedFiles,
  ExplainedPolicy,
  Judgement,
  Problem,
  RuleProof,
  Setting,
} from './judgement.ts';
import type { EditorAnswer, EditorQuestion } from './language.ts';

/** A question from the page to its worker. */
export type Question =
  | {
      readonly type: 'ask';
      /** A command of the machine interface, such as `admit` or `kyverno rules`. */
      readonly command: string;
      /** A case, as one line of JSON. */
      readonly line: string;
    }
  | { readonly type: 'judge'; readonly setting: Setting }
  | { readonly type: 'lint'; readonly setting: Setting }
  | { readonly type: 'explain'; readonly setting: Setting }
  | { readonly type: 'convert'; readonly setting: Setting }
  | { readonly type: 'prove'; readonly setting: Setting }
  | { readonly type: 'assist'; readonly setting: Setting; readonly question: EditorQuestion };

/** The answer to each kind of question. */
interface Answers {
  readonly ask: string;
  readonly judge: readonly Judgement[];
  readonly lint: readonly Problem[];
  readonly assist: EditorAnswer;
  /** For each object in the order of the judgement. */
  readonly explain: readonly (readonly ExplainedPolicy[])[];
  readonly convert: ConvertedFiles;
  /** For each rule in the order of the conversion. */
  readonly prove: readonly RuleProof[];
}

/** A question under the number that its reply bears too. */
export interface Numbered {
  readonly number: number;
  readonly question: Question;
}

/** The worker's reply: an answer, the message of an error, or a sign that it can still receive messages. */
export interface Reply {
  readonly number: number;
  /** It began with the question, or waits for files that it loads: no expression keeps it busy. */
  readonly isListening?: true;
  readonly answer?: Answers[keyof Answers];
  readonly problem?: string;
}

/** The worker's unprompted answer to the first question of the page. */
export interface EarlyAnswer {
  readonly question: Extract<Question, { type: 'judge' }>;
  readonly answer: AnswerTo<'judge'>;
}

/** The answer to a kind of question. */
export type AnswerTo<Kind extends Question['type']> = Answers[Kind];
