import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import type { SyntaxErrorTexts } from '../environment/code-changes.ts';
import { SharedCompilers } from './shared-compilers.ts';

/**
 * Makes compilers for policies, which share environments: one for each set of declarations, made when
 * it is first needed (apiserver plugin/cel/compile.go).
 */
export class PolicyCompilers extends SharedCompilers {
  override describeSyntaxErrors: SyntaxErrorTexts | undefined = describeSyntaxErrors;
}
