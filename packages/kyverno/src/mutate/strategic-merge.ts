import type { JsonObject } from '@kubeadmit/apimachinery';
import { Failure } from '../jmespath/steps/failure.ts';
import { mergePatch } from './merge.ts';
import { MergeError } from './merge-error.ts';
import { fromNode, toNode } from './node.ts';
import { PreprocessError, preprocessPatch } from './preprocess.ts';

/** An object, or null, with a strategic merge patch applied, its integers as bigint, or a `Failure`. */
export function applyStrategicMerge(object: JsonObject | null, patch: unknown): unknown {
  const node = toNode(object);
  try {
    const ready = preprocessPatch(toNode(patch), node);
    const merged = mergePatch(node, ready);
    return merged === undefined ? {} : fromNode(merged);
  } catch (problem) {
    if (problem instanceof MergeError || problem instanceof PreprocessError) {
      return new Failure(problem.message);
    }
    throw problem;
  }
}
