// Command old-servers answers `decode` cases as the kube-apiserver of the Kubernetes version that it was built with: it
// knows the built-in kinds of that version, with the feature gates as they are by default.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

type input struct {
	ID        string            `json:"id"`
	Resources []json.RawMessage `json:"resources"`
}

type problem struct {
	Resource string `json:"resource"`
	Message  string `json:"message"`
}

type output struct {
	ID      string            `json:"id"`
	Objects []json.RawMessage `json:"objects"`
	Errors  []problem         `json:"errors,omitempty"`
}

// decode gives an object as the server holds it before admission.
func decode(raw []byte) (json.RawMessage, string, error) {
	var head metav1.TypeMeta
	_ = json.Unmarshal(raw, &head)
	gvk := head.GroupVersionKind()
	if !legacyscheme.Scheme.Recognizes(gvk) {
		return raw, head.Kind, nil
	}
	internal, _, err := legacyscheme.Codecs.UniversalDecoder().Decode(raw, &gvk, nil)
	if err != nil {
		return nil, head.Kind, err
	}
	external, err := legacyscheme.Scheme.ConvertToVersion(internal, gvk.GroupVersion())
	if err != nil {
		return nil, head.Kind, err
	}
	data, err := json.Marshal(external)
	return data, head.Kind, err
}

func main() {
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		var in input
		if json.Unmarshal(line, &in) == nil {
			out := output{ID: in.ID, Objects: []json.RawMessage{}}
			for _, raw := range in.Resources {
				object, kind, problemText := decode(raw)
				if problemText != nil {
					out.Errors = append(out.Errors, problem{kind, problemText.Error()})
					object = json.RawMessage("null")
				}
				out.Objects = append(out.Objects, object)
			}
			_ = encoder.Encode(out)
		}
		if err != nil {
			return
		}
	}
}
