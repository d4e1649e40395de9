import type { CheckedObject } from '@kubeadmit/check';
import { type CheckPlan, nothingUsed } from '@kubeadmit/check/internal';
import type { ReportStream } from '../output/check/stream.ts';
import { tallyOf } from '../output/check/tally.ts';
import type { JudgedStretch } from './judge.ts';
import type { CheckOptions } from './options.ts';
import type { FailedStretch } from './threads.ts';

/** Returns the result of subjects that no thread could judge: they failed without an answer. */
export function brokenStretch(
  { from, to, failure }: FailedStretch,
  { inputs }: CheckPlan,
  {
    streams,
    operation,
  }: { readonly streams: readonly ReportStream[]; readonly operation: CheckOptions['operation'] },
): JudgedStretch {
  const objects = inputs.subjects.slice(from, to).map(
    (manifest): CheckedObject => ({
      file: manifest.file,
      line: manifest.line,
      apiVersion: manifest.apiVersion,
      kind: manifest.kind,
      namespace: manifest.namespace,
      name: manifest.name,
      operation,
      allowed: false,
      failure: `not checked, since the thread that was to do it ended: ${failure}`,
      isBroken: true,
      patch: [],
      auditAnnotations: {},
      findings: [],
    }),
  );
  const timed = objects.map((object) => ({ object, seconds: 0 }));
  return {
    from,
    to,
    parts: streams.map((stream) => stream.part(timed)),
    told: '',
    leftOut: [],
    used: nothingUsed(),
    tally: tallyOf(objects),
  };
}
