import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, memberList, memberText } from '@kubeadmit/apimachinery';
import { metadataOf } from '../objects/metadata.ts';
import {
  ageColumn,
  ageOf,
  containerColumns,
  nameColumn,
  number,
  selectorColumn,
  spec,
  status,
} from './cells.ts';
import { type Column, textColumn } from './columns.ts';

/** The columns of jobs (printers/internalversion `printJob`). */
export const jobColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', statusText),
  textColumn('Completions', completionsText),
  textColumn('Duration', (job, now) => {
    const [start, end] = [at(status(job), 'startTime'), at(status(job), 'completionTime')];
    if (typeof start !== 'string') return '';
    return ageOf(start, typeof end === 'string' ? Date.parse(end) : now);
  }),
  ageColumn,
  ...containerColumns,
  selectorColumn,
];

function statusText(job: KubernetesObject): string {
  const isTrue = (type: string): boolean => {
    const conditions = memberList(status(job), 'conditions');
    const found = conditions.find((each) => memberText(each, 'type') === type);
    return memberText(found, 'status') === 'True';
  };
  const ended = ['Complete', 'Failed'].find(isTrue);
  if (ended !== undefined) return ended;
  if (metadataOf(job).deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running';
}

function completionsText(job: KubernetesObject): string {
  const succeeded = number(at(status(job), 'succeeded'));
  const completions = at(spec(job), 'completions') ?? undefined;
  if (completions !== undefined) return `${succeeded}/${number(completions)}`;
  const parallelism = number(at(spec(job), 'parallelism'));
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}
