import type { PolicyTrace } from '@kubeadmit/admission/internal';
import { formatGroupVersion } from '@kubeadmit/apimachinery';

type Reason = PolicyTrace['reason'];

const partTexts = {
  scope: 'it is for another scope',
  operation: 'it is for other operations',
  group: 'it is for other API groups',
  version: 'it is for other versions',
  resource: 'it is for other resources',
  name: 'it is for other names',
} as const;

/** Why rules and selectors fit a request, or why not, in words; `list` is where the rules stand. */
export function reasonText(reason: Reason, list: string): string {
  if (reason === undefined) return 'nothing is asked of the request';
  switch (reason.type) {
    case 'noRules':
      return 'it has no rules, so that every request matches';
    case 'rule':
      return `${list}.resourceRules[${reason.rule}] fits`;
    case 'equivalentRule': {
      const { resource, rule } = reason;
      const name = `${formatGroupVersion(resource)} ${resource.resource}`;
      return `${list}.resourceRules[${rule}] fits the object as one of ${name}`;
    }
    case 'excluded':
      return `${list}.excludeResourceRules[${reason.rule}] fits`;
    case 'namespaceSelector':
      return 'the namespaceSelector does not fit the labels of the namespace';
    case 'objectSelector':
      return 'the objectSelector does not fit the labels of the object';
    case 'noRuleFits':
      return `no rule fits: ${reason.parts
        .map((part, i) => `of resourceRules[${i}], ${partTexts[part]}`)
        .join('; ')}`;
    case 'error':
      return 'it could not be found out';
    default:
      return reason satisfies never;
  }
}
