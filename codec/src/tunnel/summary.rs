//! The parts of the two largest structured messages: an execution's summary and a review's issues.

use crate::json::{Num, Object, Text, record, words};

words! {
    /// How the steps of an execution were run.
    RunMode {
        Serial = "serial",
        Batch = "batch",
    }

    /// How bad an issue is. The original's renderer fell over `note`.
    Severity {
        Critical = "critical",
        Major = "major",
        Minor = "minor",
        Info = "info",
        Note = "note",
    }

    /// What an issue is about.
    Category {
        Security = "security",
        Performance = "performance",
        Bug = "bug",
        Style = "style",
        Compliance = "compliance",
        Testing = "testing",
        Other = "other",
    }
}

record! {
    /// A whole execution, summed up.
    struct Summary {
        plan_id: Text<'a> = "planId",
        plan_title: Text<'a> = "planTitle",
        plan_file_path: Text<'a> = "planFilePath",
        mode: RunMode = "mode",
        started_at: Text<'a> = "startedAt",
        steps: Vec<SummaryStep<'a>> = "steps",
        changed_files: Vec<Text<'a>> = "changedFiles",
        errors: Vec<Text<'a>> = "errors",
        metadata: SummaryMetadata<'a> = "metadata",
    }
    optional {
        ended_at: Text<'a> = "endedAt",
        duration_ms: Num<'a> = "durationMs",
        created_files: Vec<Text<'a>> = "createdFiles",
        deleted_files: Vec<Text<'a>> = "deletedFiles",
        plan_info: Object<'a> = "planInfo",
    }

    /// Counts of an execution.
    struct SummaryMetadata {
        total_steps: Num<'a> = "totalSteps",
        failed_steps: Num<'a> = "failedSteps",
    }
    optional {
        batch_iterations: Num<'a> = "batchIterations",
    }

    /// One step of an execution.
    struct SummaryStep {
        title: Text<'a> = "title",
        executor: Text<'a> = "executor",
        success: bool = "success",
    }
    optional {
        output: StepOutput<'a> = "output",
        executor_phase: Text<'a> = "executorPhase",
        error_message: Text<'a> = "errorMessage",
        duration_ms: Num<'a> = "durationMs",
        iteration: Num<'a> = "iteration",
    }

    /// What a step said.
    struct StepOutput {
        content: Text<'a> = "content",
    }
    optional {
        steps: Vec<SubStep<'a>> = "steps",
        metadata: Object<'a> = "metadata",
        failure_details: FailureDetails<'a> = "failureDetails",
    }

    /// A part of what a step said.
    struct SubStep {
        title: Text<'a> = "title",
        body: Text<'a> = "body",
    }

    /// Why a step failed.
    struct FailureDetails {}
    optional {
        source_agent: Text<'a> = "sourceAgent",
        requirements: Text<'a> = "requirements",
        problems: Text<'a> = "problems",
        solutions: Text<'a> = "solutions",
    }

    /// Something that a review found.
    struct Issue {
        severity: Severity = "severity",
        category: Category = "category",
        content: Text<'a> = "content",
        file: Text<'a> = "file",
        line: Text<'a> = "line",
        suggestion: Text<'a> = "suggestion",
    }
    optional {
        source: Text<'a> = "source",
    }
}
