// Written by `npm run coverage -w apps-script-host` from the types of @types/google-apps-script.
// biome-ignore-all format: a class a line

/** Members of Google that are not here, by the class that has them. */
export const MISSING: Readonly<Record<string, string>> = {
  Blob: 'getAllBlobs',
  Charts: 'ChartHiddenDimensionStrategy ChartMergeStrategy ColumnType CurveStyle PointStyle Position newAreaChart newBarChart newColumnChart newDataTable newDataViewDefinition newLineChart newPieChart newScatterChart newTableChart newTextStyle',
  ChartType: 'CANDLESTICK GAUGE GEO ORG RADAR SPARKLINE STEPPED_AREA TREEMAP WATERFALL',
  CopyPasteType: 'PASTE_COLUMN_WIDTHS PASTE_CONDITIONAL_FORMATTING PASTE_DATA_VALIDATION PASTE_NO_BORDERS',
  DigestAlgorithm: 'MD2',
  EmbeddedChart: 'getAs getBlob getContainerInfo getHiddenDimensionStrategy getMergeStrategy getNumHeaders getOptions getTransposeRowsAndColumns',
  EmbeddedChartBuilder: 'asAreaChart asBarChart asColumnChart asComboChart asHistogramChart asLineChart asPieChart asScatterChart asTableChart getChartType getContainer removeRange setHiddenDimensionStrategy setMergeStrategy setTransposeRowsAndColumns',
  EventType: 'ON_EVENT_UPDATED',
  FilterCriteriaBuilder: 'setVisibleValues',
  HtmlTemplate: 'getCode getCodeWithComments',
  HTTPResponse: 'getAs',
  Protection: 'setDomainEdit',
  Range: 'createDataSourcePivotTable createDataSourceTable createPivotTable getDataSourceFormula getDataSourceFormulas getDataSourcePivotTables getDataSourceTables getDataSourceUrl getDataTable setShowHyperlink',
  RangeList: 'setShowHyperlink',
  ScriptApp: 'InstallationSource getIdentityToken getInstallationSource getProjectKey getScriptTriggers invalidateAuth',
  Selection: 'getNextDataRange',
  Service: 'disable',
  Sheet: 'asDataSourceSheet autoResizeRows getDataSourceTables getDrawings getImages getPivotTables getSheetProtection getSlicers insertImage insertSlicer isRightToLeft setRightToLeft setSheetProtection',
  SortSpec: 'getBackgroundColor getDataSourceColumn getForegroundColor',
  Spreadsheet: 'addEditor addEditors addViewer addViewers copy getAs getBlob getDataSourceTables getImages getIterativeCalculationConvergenceThreshold getMaxIterativeCalculationCycles getPredefinedSpreadsheetThemes getRecalculationInterval getSheetProtection getSpreadsheetTheme getViewers insertImage insertSheetWithDataSourceTable isAnonymousView isAnonymousWrite isIterativeCalculationEnabled moveActiveSheet moveChartToObjectSheet removeEditor removeMenu removeViewer rename resetSpreadsheetTheme setAnonymousAccess setIterativeCalculationConvergenceThreshold setIterativeCalculationEnabled setMaxIterativeCalculationCycles setRecalculationInterval setSheetProtection setSpreadsheetLocale setSpreadsheetTheme setSpreadsheetTimeZone show',
  SpreadsheetApp: 'DataExecutionErrorCode DataExecutionState DataSourceParameterType DataSourceType PivotTableSummarizeFunction PivotValueDisplayType RecalculationInterval enableAllDataSourcesExecution enableBigQueryExecution newDataSourceSpec open setActiveSpreadsheet',
  Trigger: 'getTriggerSourceId',
  TriggerBuilder: 'forDocument forForm forUserCalendar',
  TriggerSource: 'CALENDAR DOCUMENTS FORMS',
  Ui: 'showDialog',
};

/** Members of the services of which nothing is here. */
export const MEMBERS_OF_SERVICES: Readonly<Record<string, string>> = {
  CalendarApp: 'Color EventColor EventTransparency EventType GuestStatus Month Visibility Weekday createAllDayEvent createAllDayEventSeries createCalendar createEvent createEventFromDescription createEventSeries getAllCalendars getAllOwnedCalendars getCalendarById getCalendarsByName getColor getDefaultCalendar getDescription getEventById getEventSeriesById getEvents getEventsForDay getId getName getOwnedCalendarById getOwnedCalendarsByName getTimeZone isHidden isMyPrimaryCalendar isOwnedByMe isSelected newRecurrence setColor setDescription setHidden setName setSelected setTimeZone subscribeToCalendar',
  CardService: 'BorderType ComposedEmailType ContentType DisplayStyle GridItemLayout HorizontalAlignment Icon ImageCropType ImageStyle InputType Interaction LoadIndicator OnClose OpenAs SelectionInputType SwitchControlType TextButtonStyle UpdateDraftBodyType newAction newActionResponseBuilder newAttachment newAuthorizationAction newAuthorizationException newBorderStyle newButtonSet newCalendarEventActionResponseBuilder newCardAction newCardBuilder newCardHeader newCardSection newComposeActionResponseBuilder newDatePicker newDateTimePicker newDecoratedText newDivider newDriveItemsSelectedActionResponseBuilder newEditorFileScopeActionResponseBuilder newFixedFooter newGrid newGridItem newIconImage newImage newImageButton newImageComponent newImageCropStyle newKeyValue newLinkPreview newMaterialIcon newNavigation newNotification newOpenLink newSelectionInput newSuggestions newSuggestionsResponseBuilder newSwitch newTextButton newTextInput newTextParagraph newTimePicker newUniversalActionResponseBuilder newUpdateDraftActionResponseBuilder newUpdateDraftBccRecipientsAction newUpdateDraftBodyAction newUpdateDraftCcRecipientsAction newUpdateDraftSubjectAction newUpdateDraftToRecipientsAction newValidation',
  ConferenceDataService: 'ConferenceErrorType EntryPointFeature EntryPointType newConferenceDataBuilder newConferenceError newConferenceParameter newEntryPoint',
  ContactsApp: 'ExtendedField Field Gender Month Priority Sensitivity createContact createContactGroup deleteContact deleteContactGroup findByEmailAddress findContactGroup getAllContacts getContact getContactById getContactGroup getContactGroupById getContactGroups getContacts getContactsByAddress getContactsByCompany getContactsByCustomField getContactsByDate getContactsByEmailAddress getContactsByGroup getContactsByIM getContactsByJobTitle getContactsByName getContactsByNotes getContactsByPhone getContactsByUrl',
  DataStudioApp: 'createCommunityConnector',
  DocumentApp: 'Attribute ElementType FontFamily GlyphType HorizontalAlignment ParagraphHeading PositionedLayout TextAlignment VerticalAlignment create getActiveDocument getUi openById openByUrl',
  DriveApp: 'Access Permission addFile addFolder continueFileIterator continueFolderIterator createFile createFolder createShortcut createShortcutForTargetIdAndResourceKey getFileById getFileByIdAndResourceKey getFiles getFilesByName getFilesByType getFolderById getFolderByIdAndResourceKey getFolders getFoldersByName getRootFolder getStorageLimit getStorageUsed getTrashedFiles getTrashedFolders removeFile removeFolder searchFiles searchFolders',
  FormApp: 'Alignment DestinationType FeedbackType ItemType PageNavigationType create createCheckboxGridValidation createCheckboxValidation createFeedback createGridValidation createParagraphTextValidation createTextValidation getActiveForm getUi openById openByUrl',
  GmailApp: 'createDraft createLabel deleteLabel getAliases getChatThreads getDraft getDraftMessages getDrafts getInboxThreads getInboxUnreadCount getMessageById getMessagesForThread getMessagesForThreads getPriorityInboxThreads getPriorityInboxUnreadCount getSpamThreads getSpamUnreadCount getStarredThreads getStarredUnreadCount getThreadById getTrashThreads getUserLabelByName getUserLabels markMessageRead markMessageUnread markMessagesRead markMessagesUnread markThreadImportant markThreadRead markThreadUnimportant markThreadUnread markThreadsImportant markThreadsRead markThreadsUnimportant markThreadsUnread moveMessageToTrash moveMessagesToTrash moveThreadToArchive moveThreadToInbox moveThreadToSpam moveThreadToTrash moveThreadsToArchive moveThreadsToInbox moveThreadsToSpam moveThreadsToTrash refreshMessage refreshMessages refreshThread refreshThreads search sendEmail setCurrentMessageAccessToken starMessage starMessages unstarMessage unstarMessages',
  GroupsApp: 'Role getGroupByEmail getGroups',
  Jdbc: 'getCloudSqlConnection getConnection newDate newTime newTimestamp parseDate parseTime parseTimestamp',
  LanguageApp: 'translate',
  LinearOptimizationService: 'Status VariableType createEngine',
  Maps: 'DirectionFinder StaticMap decodePolyline encodePolyline newDirectionFinder newElevationSampler newGeocoder newStaticMap setAuthentication',
  SitesApp: 'AttachmentType PageType copySite createSite getActivePage getActiveSite getAllSites getPageByUrl getSite getSiteByUrl getSites',
  SlidesApp: 'AlignmentPosition ArrowStyle AutoTextType CellMergeState ColorType ContentAlignment DashStyle FillType LineCategory LineFillType LineType LinkType ListPreset PageBackgroundType PageElementType PageType ParagraphAlignment PlaceholderType PredefinedLayout SelectionType ShapeType SheetsChartEmbedType SlideLinkingMode SlidePosition SpacingMode TextBaselineOffset TextDirection ThemeColorType VideoSourceType create getActivePresentation getUi newAffineTransformBuilder openById openByUrl',
  XmlService: 'ContentTypes createCdata createComment createDocType createDocument createElement createText getCompactFormat getNamespace getNoNamespace getPrettyFormat getRawFormat getXmlNamespace parse',
};
