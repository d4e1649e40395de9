import { requireText } from '@kubeadmit/go/internal';
import * as dns from '../names/dns-name.ts';
import * as labels from '../names/label-name.ts';

/**
 * Returns the problems of a DNS-1123 label (apimachinery `validation.IsDNS1123Label`); an empty list if it is
 * valid.
 *
 * @throws TypeError if `name` is not a string
 */
export function dns1123LabelProblems(name: string): string[] {
  requireText('dns1123LabelProblems', name);
  return dns.dns1123LabelProblems(name);
}

/**
 * Returns the problems of a DNS-1123 subdomain (apimachinery `validation.IsDNS1123Subdomain`); an empty list if it
 * is valid.
 *
 * @throws TypeError if `name` is not a string
 */
export function dns1123SubdomainProblems(name: string): string[] {
  requireText('dns1123SubdomainProblems', name);
  return dns.dns1123SubdomainProblems(name);
}

/**
 * Returns the problems of a DNS-1035 label (apimachinery `validation.IsDNS1035Label`); an empty list if it is
 * valid.
 *
 * @throws TypeError if `name` is not a string
 */
export function dns1035LabelProblems(name: string): string[] {
  requireText('dns1035LabelProblems', name);
  return dns.dns1035LabelProblems(name);
}

/**
 * Returns the problems of a qualified name, such as the label key `example.com/MyName` (apimachinery
 * `content.IsLabelKey`); an empty list if it is valid.
 *
 * @throws TypeError if `key` is not a string
 */
export function qualifiedNameProblems(key: string): string[] {
  requireText('qualifiedNameProblems', key);
  return labels.qualifiedNameProblems(key);
}

/**
 * Returns the problems of a label value (apimachinery `content.IsLabelValue`); an empty list if it is valid.
 *
 * @throws TypeError if `value` is not a string
 */
export function labelValueProblems(value: string): string[] {
  requireText('labelValueProblems', value);
  return labels.labelValueProblems(value);
}
