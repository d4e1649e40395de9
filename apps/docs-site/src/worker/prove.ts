import { type ProvenRule, proveConversion } from '@kubeadmit/convert';
import { convertFiles } from './convertible-files.ts';
import type { RuleProof, Setting } from './judgement.ts';

/** Generated requests for each rule: as many as `kubeadmit convert` uses by default. */
const requestsOfRule = 300;

/** Differences after which a search ends. */
const mostDifferences = 3;

/** Compares each Kyverno rule in the files with its result on generated requests, in the order of the rules. */
export async function prove(setting: Setting): Promise<readonly RuleProof[]> {
  const { conversions, related, schemas } = await convertFiles(setting);
  const proofs: RuleProof[] = [];
  for (const { policy, conversion } of conversions) {
    const proven = await proveConversion(policy, conversion, {
      schemas,
      related,
      search: requestsOfRule,
      most: mostDifferences,
      clock: Date.now,
    });
    proofs.push(...proven.map(ruleProof));
    // Lets the worker send a sign of life, since the time limit applies to each policy.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return proofs;
}

function ruleProof({ proof, ...rule }: ProvenRule): RuleProof {
  if (proof === undefined) return { rule };
  const { requests, differences, covered } = proof;
  const isDecisive = covered.old > 0;
  return { rule, compared: { requests, differences: differences.length, isDecisive } };
}
