package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	policiesv1beta1 "github.com/kyverno/api/api/policies.kyverno.io/v1beta1"
	celengine "github.com/kyverno/kyverno/pkg/cel/engine"
	"github.com/kyverno/kyverno/pkg/cel/libs"
	"github.com/kyverno/kyverno/pkg/cel/matching"
	dpolcompiler "github.com/kyverno/kyverno/pkg/cel/policies/dpol/compiler"
	dpolengine "github.com/kyverno/kyverno/pkg/cel/policies/dpol/engine"
	gpolcompiler "github.com/kyverno/kyverno/pkg/cel/policies/gpol/compiler"
	gpolengine "github.com/kyverno/kyverno/pkg/cel/policies/gpol/engine"
	mpolcompiler "github.com/kyverno/kyverno/pkg/cel/policies/mpol/compiler"
	mpolengine "github.com/kyverno/kyverno/pkg/cel/policies/mpol/engine"
	vpolcompiler "github.com/kyverno/kyverno/pkg/cel/policies/vpol/compiler"
	vpolengine "github.com/kyverno/kyverno/pkg/cel/policies/vpol/engine"
	engineapi "github.com/kyverno/kyverno/pkg/engine/api"
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/openapi/openapitest"
)

type celCase struct {
	Policy    json.RawMessage   `json:"policy"`
	Resource  json.RawMessage   `json:"resource"`
	Plural    string            `json:"plural"`
	Operation string            `json:"operation"`
	Namespace *corev1.Namespace `json:"namespace"`
	Objects   []struct {
		Plural string          `json:"plural"`
		Object json.RawMessage `json:"object"`
	} `json:"objects"`
	Exceptions []*policiesv1beta1.PolicyException `json:"exceptions"`
	// Admission says that exceptions are found as in a cluster, where those that have expired may not apply.
	Admission bool `json:"admission"`
}

type celResult struct {
	Rule    string `json:"rule"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

type celAnswer struct {
	Results   []celResult      `json:"results"`
	Generated []map[string]any `json:"generated,omitempty"`
	Patched   map[string]any   `json:"patched,omitempty"`
	Error     string           `json:"error,omitempty"`
}

func (l celExceptions) List(labels.Selector) ([]*policiesv1beta1.PolicyException, error) {
	return l, nil
}

type celExceptions []*policiesv1beta1.PolicyException

// runCel evaluates one policy of policies.kyverno.io for one object, as the CLI does, or as controllers find exceptions.
func runCel(in celCase) any {
	answer := celAnswer{Results: []celResult{}}
	if err := answer.run(in); err != nil {
		answer.Error = err.Error()
	}
	return answer
}

func (a *celAnswer) add(rules ...engineapi.RuleResponse) {
	for _, rule := range rules {
		a.Results = append(a.Results, celResult{rule.Name(), string(rule.Status()), rule.Message()})
		for _, object := range rule.GeneratedResources() {
			a.Generated = append(a.Generated, plain(object.Object).(map[string]any))
		}
	}
}

func (a *celAnswer) run(in celCase) error {
	resource, err := resourceOf(in.Resource, false)
	if err != nil {
		return err
	}
	gvk := resource.GroupVersionKind()
	gvr := gvk.GroupVersion().WithResource(in.Plural)
	objects := libs.NewFakeContextProvider()
	for _, given := range in.Objects {
		object, err := resourceOf(given.Object, false)
		if err != nil {
			return err
		}
		if err := objects.AddResource(object.GroupVersionKind().GroupVersion().WithResource(given.Plural), &object); err != nil {
			return err
		}
	}
	namespaces := func(name string) *corev1.Namespace {
		if in.Namespace != nil && in.Namespace.Name == name {
			return in.Namespace
		}
		return nil
	}
	operation, object, oldObject := requestShape(in.Operation, &resource)
	request := celengine.Request(objects, gvk, gvr, "", resource.GetName(), resource.GetNamespace(), operation, authenticationv1.UserInfo{}, object, oldObject, false, nil)
	var head struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(in.Policy, &head); err != nil {
		return err
	}
	exceptions := in.Exceptions
	isGenerating := strings.HasSuffix(head.Kind, "GeneratingPolicy")
	if in.Admission && !isGenerating {
		if exceptions, err = celengine.ListExceptions(celExceptions(in.Exceptions), head.Kind, head.Metadata.Name); err != nil {
			return err
		}
	}
	switch head.Kind {
	case "ValidatingPolicy", "NamespacedValidatingPolicy":
		var policy policiesv1beta1.ValidatingPolicyLike = &policiesv1beta1.ValidatingPolicy{}
		if head.Kind[0] == 'N' {
			policy = &policiesv1beta1.NamespacedValidatingPolicy{}
		}
		if err := json.Unmarshal(in.Policy, policy); err != nil {
			return err
		}
		provider, err := vpolengine.NewProvider(vpolcompiler.NewCompiler(), []policiesv1beta1.ValidatingPolicyLike{policy}, exceptions)
		if err != nil {
			return err
		}
		response, err := vpolengine.NewEngine(provider, namespaces, matching.NewMatcher()).Handle(context.Background(), request, nil)
		if err != nil {
			return err
		}
		for _, one := range response.Policies {
			a.add(one.Rules...)
		}
	case "MutatingPolicy", "NamespacedMutatingPolicy":
		var policy policiesv1beta1.MutatingPolicyLike = &policiesv1beta1.MutatingPolicy{}
		if head.Kind[0] == 'N' {
			policy = &policiesv1beta1.NamespacedMutatingPolicy{}
		}
		if err := json.Unmarshal(in.Policy, policy); err != nil {
			return err
		}
		provider, err := mpolengine.NewProvider(mpolcompiler.NewCompiler(), []policiesv1beta1.MutatingPolicyLike{policy}, exceptions, objects)
		if err != nil {
			return err
		}
		converter := mpolcompiler.NewStaticTypeConverterManager(openapitest.NewEmbeddedFileClient())
		response, err := mpolengine.NewEngine(provider, namespaces, matching.NewMatcher(), converter, objects).Handle(context.Background(), request, nil)
		if err != nil {
			return err
		}
		for _, one := range response.Policies {
			a.add(one.Rules...)
		}
		if response.PatchedResource != nil && !reflect.DeepEqual(plain(resource.Object), plain(response.PatchedResource.Object)) {
			a.Patched = plain(response.PatchedResource.Object).(map[string]any)
		}
	case "GeneratingPolicy", "NamespacedGeneratingPolicy":
		var policy policiesv1beta1.GeneratingPolicyLike = &policiesv1beta1.GeneratingPolicy{}
		if head.Kind[0] == 'N' {
			policy = &policiesv1beta1.NamespacedGeneratingPolicy{}
		}
		if err := json.Unmarshal(in.Policy, policy); err != nil {
			return err
		}
		if in.Admission {
			exceptions = referring(exceptions, policy.GetKind(), policy.GetName())
		}
		compiled, errs := gpolcompiler.NewCompiler().Compile(policy, exceptions)
		if len(errs) > 0 {
			return fmt.Errorf("failed to compile policy %s (%w)", policy.GetName(), errs.ToAggregate())
		}
		response, err := gpolengine.NewEngine(namespaces, matching.NewMatcher()).Handle(request, gpolengine.Policy{Policy: policy, CompiledPolicy: compiled}, false)
		if err != nil {
			return err
		}
		for _, one := range response.Policies {
			if one.Result != nil {
				a.add(*one.Result)
			}
		}
	case "DeletingPolicy", "NamespacedDeletingPolicy":
		var policy policiesv1beta1.DeletingPolicyLike = &policiesv1beta1.DeletingPolicy{}
		if head.Kind[0] == 'N' {
			policy = &policiesv1beta1.NamespacedDeletingPolicy{}
		}
		if err := json.Unmarshal(in.Policy, policy); err != nil {
			return err
		}
		if !in.Admission {
			exceptions = referring(exceptions, policy.GetKind(), policy.GetName())
		}
		compiled, errs := dpolcompiler.NewCompiler().Compile(policy, exceptions)
		if len(errs) > 0 {
			return fmt.Errorf("failed to compile policy %s (%w)", policy.GetName(), errs.ToAggregate())
		}
		mapper := meta.NewDefaultRESTMapper(nil)
		mapper.AddSpecific(gvk, gvr, gvr, meta.RESTScopeNamespace)
		response, err := dpolengine.NewEngine(namespaces, mapper, objects, matching.NewMatcher()).Handle(context.Background(), dpolengine.Policy{Policy: policy, CompiledPolicy: compiled}, resource)
		// The results are those of the CLI.
		switch {
		case err != nil:
			a.Results = append(a.Results, celResult{policy.GetName(), "error", err.Error()})
		case response.Match:
			a.Results = append(a.Results, celResult{policy.GetName(), "pass", "resource matched"})
		case response.PolicyMatched:
			a.Results = append(a.Results, celResult{policy.GetName(), "fail", "resource did not match"})
		}
	default:
		return fmt.Errorf("unknown kind %q", head.Kind)
	}
	return nil
}

// referring finds exceptions as the fetch provider of GeneratingPolicies does.
func referring(list []*policiesv1beta1.PolicyException, kind, name string) []*policiesv1beta1.PolicyException {
	var found []*policiesv1beta1.PolicyException
	for _, exception := range list {
		for _, ref := range exception.Spec.PolicyRefs {
			if ref.Name == name && ref.Kind == kind {
				found = append(found, exception)
			}
		}
	}
	return found
}

// requestShape is the CLI's AdmissionRequestShape.
func requestShape(operation string, resource *unstructured.Unstructured) (admissionv1.Operation, runtime.Object, runtime.Object) {
	switch operation {
	case "UPDATE":
		return admissionv1.Update, resource, resource.DeepCopy()
	case "DELETE":
		return admissionv1.Delete, nil, resource.DeepCopy()
	default:
		return admissionv1.Create, resource, nil
	}
}
