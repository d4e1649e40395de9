package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/go-logr/logr"
	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	"github.com/kyverno/kyverno/pkg/autogen"
	"github.com/kyverno/kyverno/pkg/background/generate"
	"github.com/kyverno/kyverno/pkg/clients/dclient"
	"github.com/kyverno/kyverno/pkg/engine"
	"github.com/kyverno/kyverno/pkg/engine/adapters"
	engineapi "github.com/kyverno/kyverno/pkg/engine/api"
	"github.com/kyverno/kyverno/pkg/engine/factories"
	imageverifycache "github.com/kyverno/kyverno/pkg/image/verification/cache"
	kubeutils "github.com/kyverno/kyverno/pkg/utils/kube"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/cache"
)

type generateCase struct {
	rulesCase
	// Sources are the objects that clones find, by the names of rules.
	Sources map[string][]json.RawMessage `json:"sources"`
}

type generateResult struct {
	Policy    string           `json:"policy"`
	Rule      string           `json:"rule"`
	Type      string           `json:"type"`
	Status    string           `json:"status"`
	Message   string           `json:"message"`
	Generated []map[string]any `json:"generated,omitempty"`
}

type generateAnswer struct {
	Results  []generateResult  `json:"results"`
	Problems map[string]string `json:"problems,omitempty"`
	Error    string            `json:"error,omitempty"`
}

// runGenerate applies the generate rules of every policy to an object as the CLI does.
func runGenerate(in generateCase) any {
	answer := generateAnswer{Results: []generateResult{}}
	prepared, err := prepare(in.rulesCase)
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	for _, policy := range prepared.policies {
		if !policy.GetSpec().HasGenerate() {
			continue
		}
		policyContext, err := prepared.contextFor(*prepared.object.DeepCopy(), policy)
		if err != nil {
			answer.Error = err.Error()
			return answer
		}
		key := cache.MetaObjectToName(policy).String()
		response := prepared.engine.ApplyBackgroundChecks(context.Background(), policyContext)
		rules := response.PolicyResponse.Rules
		if made, err := handleGenerate(in, &response, policyContext); err != nil {
			if answer.Problems == nil {
				answer.Problems = map[string]string{}
			}
			answer.Problems[key] = err.Error()
		} else {
			rules = made
		}
		for _, rule := range rules {
			result := generateResult{Policy: key, Rule: rule.Name(), Type: string(rule.RuleType()), Status: string(rule.Status()), Message: rule.Message()}
			for _, object := range rule.GeneratedResources() {
				result.Generated = append(result.Generated, plain(object.Object).(map[string]any))
			}
			answer.Results = append(answer.Results, result)
		}
	}
	return answer
}

func handleGenerate(in generateCase, response *engineapi.EngineResponse, policyContext *engine.PolicyContext) ([]engineapi.RuleResponse, error) {
	trigger := policyContext.NewResource()
	objects := []runtime.Object{&trigger}
	for _, rule := range response.PolicyResponse.Rules {
		for _, raw := range in.Sources[rule.Name()] {
			var source unstructured.Unstructured
			if err := json.Unmarshal(raw, &source.Object); err != nil {
				return nil, err
			}
			objects = append(objects, &source)
		}
	}
	listKinds := map[schema.GroupVersionResource]string{}
	for _, rule := range autogen.Default.ComputeRules(policyContext.Policy(), "") {
		if !rule.HasGenerate() || len(rule.Generation.CloneList.Kinds) == 0 {
			continue
		}
		for _, kind := range rule.Generation.CloneList.Kinds {
			apiVersion, kind := kubeutils.GetKindFromGVK(kind)
			if apiVersion == "" || kind == "" {
				continue
			}
			gv, err := schema.ParseGroupVersion(apiVersion)
			if err != nil {
				continue
			}
			listKinds[gv.WithResource(strings.ToLower(kind)+"s")] = kind + "List"
		}
	}
	client, err := dclient.NewFakeClient(runtime.NewScheme(), listKinds, objects...)
	if err != nil {
		return nil, err
	}
	gvrs := sets.New[schema.GroupVersionResource]()
	for _, object := range objects {
		gvk := object.GetObjectKind().GroupVersionKind()
		gvrs.Insert(gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s"))
	}
	client.SetDiscovery(dclient.NewFakeDiscoveryClient(gvrs.UnsortedList()))
	loader := factories.DefaultContextLoaderFactory(configMaps(in.Context.ConfigMaps), factories.WithInitializer(valuesWriter(in.Context.Values)))
	controller := generate.NewGenerateControllerWithOnlyClient(client, engine.NewEngine(configuration, functions, adapters.Client(client), nil, imageverifycache.DisabledImageVerifyCache(), loader, nil, nil))
	made := []engineapi.RuleResponse{}
	for _, rule := range response.PolicyResponse.Rules {
		byRule, err := controller.ApplyGeneratePolicy(logr.Discard(), policyContext, []string{rule.Name()})
		if err != nil {
			return nil, err
		}
		specs := []kyvernov1.ResourceSpec{}
		for _, some := range byRule {
			specs = append(specs, some...)
		}
		generated, err := controller.GetUnstrResources(specs)
		if err != nil {
			return nil, err
		}
		made = append(made, *rule.WithGeneratedResources(generated))
	}
	return made, nil
}
