{{- define "webhook.name" -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- end }}
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
