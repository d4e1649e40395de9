import { readText } from '../shared/repository.ts';

/** A rule of kyverno/policies and the result of the search, as `tooling/convert` records it. */
interface Proof {
  readonly rule: string;
  readonly outcome: string;
  readonly requests: number;
  readonly explained?: readonly { readonly reason: string; readonly requests: number }[];
  readonly reasons?: readonly string[];
  /** The result of the search after the cause of a missing result was removed. */
  readonly shown?: {
    readonly instead: string;
    readonly requests: number;
    readonly differences: number;
  };
}

/** Returns the results of comparing every rule of kyverno/policies with its conversion. */
export function proofSection(): string {
  const lines = readText('tooling/convert/data/proofs.jsonl').split('\n');
  const proofs = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Proof);
  const count = (outcome: string): number =>
    proofs.filter((proof) => proof.outcome === outcome).length;
  const requests = proofs.reduce((sum, proof) => sum + proof.requests, 0);
  const causes = new Map<string, { rules: number; requests: number }>();
  for (const { reason, requests: own } of proofs.flatMap(({ explained = [] }) => explained)) {
    const known = causes.get(reason) ?? { rules: 0, requests: 0 };
    causes.set(reason, { rules: known.rules + 1, requests: known.requests + own });
  }
  const rows = [...causes]
    .sort(([, one], [, other]) => other.rules - one.rules)
    .map(([reason, { rules, requests: own }]) => `| ${rules} | ${own} | ${reason} |`);
  const others = proofs
    .filter(({ outcome }) => outcome === 'different' || outcome === 'silent')
    .map(
      ({ rule, outcome, reasons = [], shown }) =>
        `- \`${rule}\`: ${[outcome, ...reasons].join(': ')}${shown === undefined ? '' : `; with ${shown.instead}, ${shown.differences} of ${shown.requests} requests give different results`}`,
    );
  return `## Comparison on generated requests

Rules of [kyverno/policies](https://github.com/kyverno/policies) (March 2026) were compared with their results on 2,000 requests each, generated from the schemas and guided by both sides, and on the collection's own objects: ${proofs.length} converted rules, ${requests} requests, repeated ones included. ${count('equal')} rules gave equal results for all requests. For ${count('explained')} others, every request with a different result has a known cause, which was verified for that request: Kyverno's engine fails with an error, or both sides agree once the cause is removed from the request.

| rules | requests | cause |
| --- | --- | --- |
${rows.join('\n')}

${others.length === 0 ? '' : `Rules with differences, or that decided none of the requests:\n\n${others.join('\n')}`}`.trimEnd();
}
