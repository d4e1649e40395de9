import { type JsonObject, member, memberText, memberTexts } from '@kubeadmit/apimachinery';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { parseReference } from '@kubeadmit/go';
import {
  childPath,
  type Finding,
  forbidden,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../schema/finding.ts';
import { innerOf, limitOf } from '../schema/schema.ts';

const path = 'spec.conversion';

/** Checks how a definition converts between versions (apiextensions, `validateCustomResourceConversion`). */
export function validateConversion(
  conversion: JsonObject,
  preservesUnknownFields: boolean,
): Finding[] {
  const findings: Finding[] = [];
  const strategy = memberText(conversion, 'strategy');
  const webhook = innerOf(conversion, 'webhook');
  const client = webhook && innerOf(webhook, 'clientConfig');
  const versions = webhook ? memberTexts(webhook, 'conversionReviewVersions') : [];
  if (strategy !== 'None' && preservesUnknownFields) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    findings.push(invalid(`${path}.strategy`, strategy, detail));
  }
  if (strategy === '') findings.push(required(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    findings.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  if (strategy === 'Webhook') {
    return [...findings, ...validateClient(client), ...validateReviewVersions(versions)];
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (client) findings.push(forbidden(`${path}.webhookClientConfig`, detail));
  if (versions.length > 0) findings.push(forbidden(`${path}.conversionReviewVersions`, detail));
  return findings;
}

function validateClient(client: JsonObject | undefined): Finding[] {
  const at = `${path}.webhookClientConfig`;
  if (!client) return [required(at, 'required when strategy is set to Webhook')];
  const url = member(client, 'url');
  const service = innerOf(client, 'service');
  if ((typeof url === 'string') === (service !== undefined)) {
    return [required(at, 'exactly one of url or service is required')];
  }
  return typeof url === 'string'
    ? validateUrl(url, `${at}.url`)
    : validateService(service ?? {}, `${at}.service`);
}

function validateUrl(text: string, at: string): Finding[] {
  const form = '; desired format: https://host[/path]';
  const url = parseReference(text);
  if ('error' in url) return [required(at, `url must be a valid URL: ${url.error}${form}`)];
  const findings: Finding[] = [];
  if (url.scheme !== 'https') {
    findings.push(invalid(at, url.scheme, `'https' is the only allowed URL scheme${form}`));
  }
  if (url.host === '') findings.push(invalid(at, '', `host must be specified${form}`));
  const { user, plainFragment: fragment, rawQuery: query } = url;
  if (user !== undefined) {
    findings.push(invalid(at, user, 'user information is not permitted in the URL'));
  }
  if (fragment !== '') {
    findings.push(invalid(at, fragment, 'fragments are not permitted in the URL'));
  }
  if (query !== '') {
    findings.push(invalid(at, query, 'query parameters are not permitted in the URL'));
  }
  return findings;
}

// kube-apiserver hands name and namespace over in each other's place.
function validateService(service: JsonObject, at: string): Finding[] {
  const findings: Finding[] = [];
  if (memberText(service, 'namespace') === '') findings.push(required(childPath(at, 'name')));
  if (memberText(service, 'name') === '') findings.push(required(childPath(at, 'namespace')));
  const port = limitOf(service, 'port') ?? 443;
  if (port < 1 || port > 65535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    findings.push(invalid(childPath(at, 'port'), port, detail));
  }
  const text = memberText(service, 'path');
  if (text === '' || text === '/') return findings;
  const place = childPath(at, 'path');
  if (text === '//') return [...findings, invalid(place, text, 'segment[0] may not be empty')];
  if (!text.startsWith('/')) findings.push(invalid(place, text, "must start with a '/'"));
  const steps = text.slice(1).replace(/\/$/, '').split('/');
  for (const [index, step] of steps.entries()) {
    const problems = step === '' ? ['may not be empty'] : dns1123SubdomainProblems(step);
    for (const problem of problems) {
      const separator = step === '' ? ' ' : ': ';
      findings.push(invalid(place, text, `segment[${index}]${separator}${problem}`));
    }
  }
  return findings;
}

function validateReviewVersions(versions: readonly string[]): Finding[] {
  const at = `${path}.conversionReviewVersions`;
  if (versions.length === 0) return [required(at)];
  const findings: Finding[] = [];
  versions.forEach((version, index) => {
    if (versions.indexOf(version) < index) {
      findings.push(invalid(keyPath(at, index), version, 'duplicate version'));
      return;
    }
    for (const problem of dns1035LabelProblems(version)) {
      findings.push(invalid(keyPath(at, index), version, problem));
    }
  });
  if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    findings.push(invalid(at, versions, 'must include at least one of v1, v1beta1'));
  }
  return findings;
}
