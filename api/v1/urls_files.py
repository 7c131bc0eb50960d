"""Addresses of files: what is read from them, and what is saved as one."""

from __future__ import annotations

from django.urls import path

from . import files, imports

EVENT = "events/<int:event>/"
NEW = f"{EVENT}sections/"
SECTION = "sections/<int:section>/"

file_operations = [
    path(f"{SECTION}import-list/preview/", imports.ListPreviewView.as_view(), name="preview-list"),
    path(f"{SECTION}import-list/", imports.ListImportView.as_view(), name="import-list"),
    path(f"{SECTION}import-report/preview/", imports.ReportPreviewView.as_view(), name="preview-report"),
    path(f"{SECTION}import-report/", imports.ReportImportView.as_view(), name="import-report"),
    path(
        f"{NEW}import-report/preview/", imports.NewReportPreviewView.as_view(), name="preview-section-report"
    ),
    path(f"{NEW}import-report/", imports.NewSectionReportView.as_view(), name="section-report"),
    path(f"{SECTION}tables/<slug:table>/", files.TableView.as_view(), name="table"),
    path(f"{SECTION}report/", files.ReportView.as_view(), name="report"),
    path(f"{SECTION}report/<slug:trf>/", files.OlderReportView.as_view(), name="older-report"),
    path(f"{SECTION}report/<slug:trf>/lost/", files.LostView.as_view(), name="lost"),
    path(f"{SECTION}archive/", files.ArchiveView.as_view(), name="archive"),
    path(f"{EVENT}archive/", files.EventArchiveView.as_view(), name="event-archive"),
    path(f"{SECTION}copy/", files.CopyView.as_view(), name="copy"),
]
