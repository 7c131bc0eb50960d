@echo off
rem Start Evenboard with a double click. The options are those of run.py: start.cmd --lan
setlocal
pushd "%~dp0"
set PYTHON=
call :try py -3
if not defined PYTHON call :try python
if not defined PYTHON call :try python3
if defined PYTHON goto start
echo Evenboard needs Python 3.11 or newer, and this computer has none.
echo.
echo   1. Get it from https://www.python.org/downloads/
echo   2. In the installer, tick "Add python.exe to PATH".
echo   3. Open start.cmd again.
echo.
pause
exit /b 2

:start
call %PYTHON% run.py %*
if errorlevel 1 pause
exit /b

rem The stand-in for Python of the Microsoft Store fails this question. It opens a window only if it is asked nothing.
:try
call %* -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul
if %errorlevel% equ 0 set PYTHON=%*
exit /b
