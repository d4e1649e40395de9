{{- define "webhook.name" -}}{{ .Values.nameOverride | default .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}
{{- define "webhook.serviceAccount" -}}{{ .Values.serviceAccount.name | default (include "webhook.name" .) }}{{- end }}
{{- define "webhook.selector" -}}
app.kubernetes.io/name: kubeadmit-webhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "webhook.labels" -}}
{{ include "webhook.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "webhook.secret" -}}
{{- if eq .Values.certificate.source "secret" }}{{ required "certificate.secretName is needed" .Values.certificate.secretName }}{{ else }}{{ include "webhook.name" . }}-tls{{ end }}
{{- end }}
{{- define "webhook.excludedNamespaces" -}}
{{ append (.Values.webhooks.excludedNamespaces | default list) .Release.Namespace | uniq | toJson }}
{{- end }}
{{- define "webhook.registersItself" -}}
{{- if eq .Values.webhooks.registration "policies" }}true{{ end }}
{{- end }}
{{- define "webhook.trustedRoot" -}}
{{- if and .Values.policies.kyverno .Values.images.verify }}{{ .Values.images.trustedRoot }}{{ end -}}
{{- end -}}
