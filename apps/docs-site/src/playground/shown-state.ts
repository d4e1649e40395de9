import type { FilePlace } from '../editor/file-place.ts';
import type {
  ConvertedFiles,
  ExplainedPolicy,
  Judgement,
  Problem,
  RequestSetting,
  RuleProof,
} from '../worker/judgement.ts';
import type { Example } from './example.ts';

/** Everything that the playground shows. */
export interface PlaygroundState {
  /** Files to begin with; loaded after the first verdict. */
  examples: readonly Example[];
  files: Record<string, string>;
  /** The name of the file in the editor. */
  active: string;
  /** The index of the checked object whose values are shown. */
  selected: number | undefined;
  /** The most recently requested position. */
  place: FilePlace | undefined;
  request: RequestSetting;
  kubernetesVersion: string;
  /** The version beside it; empty for none. */
  otherVersion: string;
  judgement: Judgement | undefined;
  otherJudgement: Judgement | undefined;
  /** Why, for each object of the judgement. */
  explanations: readonly (readonly ExplainedPolicy[])[];
  /** The kind of result that is shown. */
  view: 'verdicts' | 'conversion';
  /** The result of converting the Kyverno policies, or the error; only while it is shown. */
  conversion: ConvertedFiles | { readonly failure: string } | undefined;
  /** The comparison of each rule with its result; `undefined` until it ends. */
  proof: readonly RuleProof[] | { readonly failure: string } | undefined;
  /** The problems in the policies themselves. */
  advice: readonly Problem[];
  /** Why there is no judgement. */
  failure: string | undefined;
  isBusy: boolean;
  /** A description of the last action, for screen readers. */
  notice: string;
}
