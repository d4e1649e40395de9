import { requireText } from '@kubeadmit/go/internal';
import * as dns from '../names/dns-name.ts';
import * as labels from '../names/label-name.ts';

/**
 * What is wrong with a DNS-1123 label (apimachinery `validation.IsDNS1123Label`); empty when nothing is.
 *
 * @throws TypeError for what is no string
 */
export function dns1123LabelProblems(name: string): string[] {
  requireText('dns1123LabelProblems', name);
  return dns.dns1123LabelProblems(name);
}

/**
 * What is wrong with a DNS-1123 subdomain (apimachinery `validation.IsDNS1123Subdomain`); empty when nothing is.
 *
 * @throws TypeError for what is no string
 */
export function dns1123SubdomainProblems(name: string): string[] {
  requireText('dns1123SubdomainProblems', name);
  return dns.dns1123SubdomainProblems(name);
}

/**
 * What is wrong with a DNS-1035 label (apimachinery `validation.IsDNS1035Label`); empty when nothing is.
 *
 * @throws TypeError for what is no string
 */
export function dns1035LabelProblems(name: string): string[] {
  requireText('dns1035LabelProblems', name);
  return dns.dns1035LabelProblems(name);
}

/**
 * What is wrong with a qualified name such as the key of a label, `example.com/MyName` (apimachinery
 * `content.IsLabelKey`); empty when nothing is.
 *
 * @throws TypeError for what is no string
 */
export function qualifiedNameProblems(key: string): string[] {
  requireText('qualifiedNameProblems', key);
  return labels.qualifiedNameProblems(key);
}

/**
 * What is wrong with the value of a label (apimachinery `content.IsLabelValue`); empty when nothing is.
 *
 * @throws TypeError for what is no string
 */
export function labelValueProblems(value: string): string[] {
  requireText('labelValueProblems', value);
  return labels.labelValueProblems(value);
}
