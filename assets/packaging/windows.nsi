; The installer for Windows (NSIS 3, https://nsis.sourceforge.io/Docs/): for the person who runs it, so nobody asks for an
; administrator. Removing the program leaves all repositories in place.
; `.ci/package-windows` defines VERSION, SIZE (KB), BUILT (the folder of the programs), PACKAGE (the installer), and TARGET
; where an installer of 64 bits can be made.
!ifdef TARGET
    Target ${TARGET}
!else
    Unicode true
!endif
!include FileFunc.nsh
!include LogicLib.nsh
!include MUI2.nsh

!define PUBLISHER "The Isolario authors"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Isolario"
; WebView2 Runtime (Microsoft, "Distribute your app and the WebView2 Runtime": how to detect it, and its installer).
!define WEBVIEW "Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define WEBVIEW_INSTALLER "https://go.microsoft.com/fwlink/p/?LinkId=2124703"

Name "Isolario"
OutFile "${PACKAGE}"
InstallDir "$LOCALAPPDATA\Programs\Isolario"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
BrandingText "Isolario ${VERSION}"

VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Isolario"
VIAddVersionKey FileDescription "Isolario"
VIAddVersionKey CompanyName "${PUBLISHER}"
VIAddVersionKey LegalCopyright "${PUBLISHER}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"

!define MUI_ICON "assets\icons\icon.ico"
!define MUI_UNICON "assets\icons\icon.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${NSISDIR}\Contrib\Graphics\Wizard\nsis3-metro.bmp"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\isolario.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString running ${LANG_ENGLISH} "Isolario is running. Quit it, then try again."
LangString running ${LANG_GERMAN} "Isolario läuft noch. Beende es und versuche es dann erneut."
LangString webview ${LANG_ENGLISH} "Isolario shows its window with the WebView2 Runtime of Microsoft, which is missing here. Download its installer now?"
LangString webview ${LANG_GERMAN} "Isolario zeigt sein Fenster mit der WebView2-Runtime von Microsoft, die hier fehlt. Jetzt ihr Installationsprogramm herunterladen?"

; A program that runs cannot be replaced. Without somebody to ask, the exit code is 2.
!macro wait_for_end un
    Function ${un}wait_for_end
        ${ForEach} $1 1 2 + 1
            ${If} $1 = 1
                StrCpy $2 "$INSTDIR\isolario.exe"
            ${Else}
                StrCpy $2 "$INSTDIR\bin\isolario.exe"
            ${EndIf}
            ${DoWhile} ${FileExists} $2
                ClearErrors
                FileOpen $0 $2 a
                ${IfNot} ${Errors}
                    FileClose $0
                    ${ExitDo}
                ${EndIf}
                ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(running)" /SD IDCANCEL IDCANCEL`
                    SetErrorLevel 2
                    Quit
                ${EndIf}
            ${Loop}
        ${Next}
    FunctionEnd
!macroend
!insertmacro wait_for_end ""
!insertmacro wait_for_end "un."

Function offer_webview
    ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\${WEBVIEW}" "pv"
    ReadRegStr $1 HKLM "SOFTWARE\${WEBVIEW}" "pv"
    ReadRegStr $2 HKCU "Software\${WEBVIEW}" "pv"
    ${If} "$0$1$2" == ""
    ${AndIf} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION "$(webview)" /SD IDNO IDYES`
        ExecShell "open" "${WEBVIEW_INSTALLER}"
    ${EndIf}
FunctionEnd

Section
    Call wait_for_end
    SetOutPath "$INSTDIR\bin"
    File "/oname=isolario.exe" "${BUILT}\isolario-headless.exe"
    SetOutPath "$INSTDIR"
    File "${BUILT}\isolario.exe"
    !if /FileExists "${BUILT}\WebView2Loader.dll"
        File "${BUILT}\WebView2Loader.dll"
    !endif
    File "LICENSE"
    CreateShortcut "$SMPROGRAMS\Isolario.lnk" "$INSTDIR\isolario.exe"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Isolario"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\isolario.exe"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${PUBLISHER}"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE}
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    Call offer_webview
SectionEnd

Section "Uninstall"
    Call un.wait_for_end
    Delete "$SMPROGRAMS\Isolario.lnk"
    Delete "$INSTDIR\bin\isolario.exe"
    RMDir "$INSTDIR\bin"
    Delete "$INSTDIR\isolario.exe"
    Delete "$INSTDIR\WebView2Loader.dll"
    Delete "$INSTDIR\LICENSE"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
